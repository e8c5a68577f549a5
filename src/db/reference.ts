import { getTableColumns, type InferSelectModel, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { isAmong } from './parameter.ts';
import type { TenantTable } from './shape.ts';
import { of, type Tenant } from './tenant.ts';
import { type Step, together } from './together.ts';

type ReferencedTable = TenantTable & { id: AnyPgColumn; deleted: AnyPgColumn };

/** Ids that an input names, of one table: where each stands in the input, and what the record is called. */
export type References = {
  table: ReferencedTable;
  type: string;
  ids: { id: string; path: (string | number)[] }[];
  /** Ids that the record refers to already: they may have been deleted since. */
  stored?: ReadonlySet<string>;
};

/** Refuses, with the place of the first, ids that name no record of this merchant. A deleted record takes no new references. */
export async function checkReferences(ctx: Pick<Context, 'db' | 'merchantId'>, references: References[]): Promise<void> {
  await together(ctx, referenceCheck(ctx, references));
}

/** The step of `checkReferences`, or none where nothing is referred to. */
export function referenceCheck(ctx: Tenant, references: References[]): Step<void>[] {
  const asked = references.filter(({ ids }) => ids.length > 0);
  if (asked.length === 0) return [];
  return [{ statement: lookUp(ctx, asked), read: (rows) => refuseMissing(asked, rows as Found[]) }];
}

/** Does so where it takes a statement more to know what is referred to already: `readStored` is asked only when a record is deleted. */
export async function checkStoredReferences(
  ctx: Pick<Context, 'db' | 'merchantId'>,
  references: Omit<References, 'stored'>[],
  readStored: () => Promise<ReadonlySet<string>>,
): Promise<void> {
  const asked = references.filter(({ ids }) => ids.length > 0);
  if (asked.length === 0) return;
  const found = await ctx.db.execute<Found>(lookUp(ctx, asked));
  const stored = found.some(({ deleted }) => deleted) ? await readStored() : undefined;
  refuseMissing(asked.map((one) => ({ ...one, ...(stored && { stored }) })), found);
}

function lookUp(ctx: Tenant, asked: References[]): SQL {
  const parts = asked.map(
    ({ table, ids }, index) => sql`
      select ${sql.raw(String(index))} as "index", ${table.id} as "id", ${table.deleted} as "deleted" from ${table}
      where ${of(ctx, table)} and ${isAmong(table.id, [...new Set(ids.map(({ id }) => id))])}`,
  );
  return sql.join(parts, sql` union all `);
}

type Found = { index: number; id: string; deleted: boolean };

function refuseMissing(asked: References[], found: readonly Found[]): void {
  for (const [index, { ids, type, stored }] of asked.entries()) {
    const usable = new Set(found.filter((row) => row.index === index && (!row.deleted || stored?.has(row.id))).map(({ id }) => id));
    const missing = ids.filter(({ id }) => !usable.has(id));
    if (missing.length > 0) throw notFound(type, [...new Set(missing.map(({ id }) => id))], missing[0]!.path);
  }
}

/** What a record refers to already through rows of its own. */
export async function storedIds<Table extends TenantTable>(
  ctx: Context,
  table: Table,
  member: keyof InferSelectModel<Table> & string,
  parent: keyof InferSelectModel<Table> & string,
  parentId: string,
): Promise<Set<string>> {
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  const rows = await ctx.db.execute<{ id: string }>(sql`
    select ${columns[member]} as "id" from ${table} where ${of(ctx, table)} and ${columns[parent]} = ${parentId}::uuid`);
  return new Set(rows.map(({ id }) => id));
}
