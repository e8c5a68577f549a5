import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { type InputPath, notFound } from '../../errors.ts';
import { isAnyOf } from '../sql/parameter.ts';
import type { TenantTable } from '../read/projection.ts';
import { ownedBy, type Tenant } from '../sql/tenant.ts';
import type { PipelineStep } from '../connection/pipeline.ts';

type ReferencedTable = TenantTable & { id: AnyPgColumn; deleted: AnyPgColumn };

/** Ids in an input that refer to one table, with their paths. */
export type References = {
  table: ReferencedTable;
  type: string;
  ids: { id: string; path: InputPath }[];
  /** Ids that the record refers to already. These records may have been deleted since. */
  stored?: ReadonlySet<string>;
};

/**
 * The step that refuses ids of unknown or deleted records with NOT_FOUND and the path of the first. Returns no step
 * if nothing is referred to.
 */
export function referenceCheck(ctx: Tenant, references: References[]): PipelineStep<void>[] {
  const asked = references.filter(({ ids }) => ids.length > 0);
  if (asked.length === 0) return [];
  return [{ statement: lookUp(ctx, asked), read: (rows) => refuseMissing(asked, rows as Found[]) }];
}

function lookUp(ctx: Tenant, asked: References[]): SQL {
  const parts = asked.map(
    ({ table, ids }, index) => sql`
      select ${sql.raw(String(index))} as "index", ${table.id} as "id", ${table.deleted} as "deleted" from ${table}
      where ${ownedBy(ctx, table)} and ${isAnyOf(table.id, [...new Set(ids.map(({ id }) => id))])}`,
  );
  return sql.join(parts, sql` union all `);
}

type Found = { index: number; id: string; deleted: boolean };

function refuseMissing(asked: References[], found: readonly Found[]): void {
  for (const [index, { ids, type, stored }] of asked.entries()) {
    const usable = new Set(
      found.filter((row) => row.index === index && (!row.deleted || stored?.has(row.id))).map(({ id }) => id),
    );
    const missing = ids.filter(({ id }) => !usable.has(id));
    if (missing.length > 0) throw notFound(type, [...new Set(missing.map(({ id }) => id))], missing[0]!.path);
  }
}
