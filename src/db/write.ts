import { getTableColumns, getTableName, type InferInsertModel, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Context } from '../context.ts';
import { idList } from './parameter.ts';
import type { TenantTable } from './shape.ts';
import { template } from './template.ts';
import { of } from './tenant.ts';
import { step, together } from './together.ts';

type WriteContext = Pick<Context, 'db' | 'merchantId'>;
type Row<Table extends TenantTable> = Omit<InferInsertModel<Table>, 'merchantId'>;

/** Sends statements together whose answers do not matter. */
export async function run(ctx: WriteContext, statements: readonly SQL[]): Promise<void> {
  await together(ctx, statements.map(step));
}

/**
 * Rows travel as one JSON parameter, so a statement has one text for any number of them. All rows
 * have the members of the first; members are named as in the table's TypeScript. `updatedAt` is set
 * by the database.
 */
export async function insertRows<Table extends TenantTable>(ctx: WriteContext, table: Table, rows: Row<Table>[]): Promise<void> {
  await run(ctx, insert(ctx, table, rows));
}

/**
 * Leaves out rows whose unique `key` another row has, and answers the ids of those that went in.
 * `among` is the condition of a unique index that holds for some rows only.
 */
export async function insertFreeRows<Table extends TenantTable & { id: AnyPgColumn }>(
  ctx: WriteContext,
  table: Table,
  key: readonly (keyof Row<Table> & string)[],
  rows: Row<Table>[],
  among?: SQL,
): Promise<string[]> {
  const [statement] = insertFree(ctx, table, key, rows, among);
  if (!statement) return [];
  const inserted = await ctx.db.execute<{ id: string }>(statement);
  return inserted.map(({ id }) => id);
}

/** The statements of `insertFreeRows`: one that returns the ids, or none without rows. */
export function insertFree<Table extends TenantTable & { id: AnyPgColumn }>(
  ctx: WriteContext,
  table: Table,
  key: readonly (keyof Row<Table> & string)[],
  rows: Row<Table>[],
  among?: SQL,
): SQL[] {
  return insert(ctx, table, rows).map(
    (statement) => sql`${statement} on conflict (${target(table, key)})${among ? sql` where ${among}` : sql``} do nothing returning id`,
  );
}

/** Inserts, or sets the given members of the row that has the key already; `createdAt` stays. */
export async function upsertRows<Table extends TenantTable>(
  ctx: WriteContext,
  table: Table,
  key: readonly (keyof Row<Table> & string)[],
  rows: Row<Table>[],
): Promise<void> {
  await run(ctx, upsert(ctx, table, key, rows));
}

/** Makes `rows` all the rows that the parents have in this table. Rows with the same key stay and take the new members. */
export async function replaceRows<Table extends TenantTable>(ctx: WriteContext, table: Table, replacement: Replacement<Table>): Promise<void> {
  await run(ctx, replace(ctx, table, replacement));
}

/** The statements of `upsertRows`: one, or none without rows. */
export function upsert<Table extends TenantTable>(
  ctx: WriteContext,
  table: Table,
  key: readonly (keyof Row<Table> & string)[],
  rows: Row<Table>[],
): SQL[] {
  if (rows.length === 0) return [];
  const members = writtenMembers(table, rows);
  const sent = JSON.stringify(rows);
  const name = `upsert ${getTableName(table)} ${key.join()} ${members.join()}`;
  return [template(name, [ctx.merchantId, sent], () => sql`${insertion(ctx, table, members, sent)} on conflict (${target(table, key)}) ${resolution(table, key, members)}`)];
}

function resolution(table: TenantTable, key: readonly string[], members: readonly string[]): SQL {
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  const changed = members.filter((member) => !key.includes(member) && member !== 'createdAt');
  if (changed.length === 0) return sql`do nothing`;
  const set = [...changed, ...(columns.updatedAt ? ['updatedAt'] : [])].map((member) => {
    const name = sql.identifier(columns[member]!.name);
    return sql`${name} = excluded.${name}`;
  });
  // A row that says the same again is left alone: writing it anew would cost an index entry in every index.
  return sql`do update set ${sql.join(set, sql`, `)} where ${differs(table, changed)}`;
}

function differs(table: TenantTable, members: string[]): SQL {
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  // The type json has no equality; what it holds is kept as it was written, so its text has.
  const comparable = (side: SQL, column: AnyPgColumn): SQL => (column.getSQLType() === 'json' ? sql`${side}::text` : side);
  const stored = members.map((member) => comparable(sql`${columns[member]}`, columns[member]!));
  const sent = members.map((member) => comparable(sql`excluded.${sql.identifier(columns[member]!.name)}`, columns[member]!));
  return sql`(${sql.join(stored, sql`, `)}) is distinct from (${sql.join(sent, sql`, `)})`;
}

export type Replacement<Table extends TenantTable> = {
  parent: keyof Row<Table> & string;
  parentIds: readonly string[];
  key: readonly (keyof Row<Table> & string)[];
  rows: Row<Table>[];
  /** Narrows the rows that count as the parents', where a table holds several lists. */
  among?: SQL;
};

/** The statements of `replaceRows`: the second must not meet the unique keys of what the first removes. */
export function replace<Table extends TenantTable>(ctx: WriteContext, table: Table, replacement: Replacement<Table>): SQL[] {
  if (replacement.parentIds.length === 0) return [];
  return [removal(ctx, table, replacement), ...upsert(ctx, table, replacement.key, replacement.rows)];
}

function removal<Table extends TenantTable>(ctx: WriteContext, table: Table, { parent, parentIds, key, rows, among }: Replacement<Table>): SQL {
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  // Equality where it will do, as only that can be hashed.
  const same = key.map((member) => {
    const operator = sql.raw(columns[member]!.notNull ? '=' : 'is not distinct from');
    return sql`kept.${sql.identifier(member)} ${operator} ${columns[member]}`;
  });
  return sql`
    delete from ${table}
    where ${of(ctx, table)} and ${columns[parent]} = any(${idList(parentIds)})${among ? sql` and ${among}` : sql``}
      and not exists (select from json_to_recordset(${JSON.stringify(rows)}::json) as kept${definition(table, key)} where ${sql.join(same, sql` and `)})`;
}

function target(table: TenantTable, key: readonly string[]): SQL {
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  return sql.join(['merchantId', ...key].map((member) => sql.identifier(columns[member]!.name)), sql`, `);
}

/** The statements of `insertRows`: one, or none without rows. */
export function insert<Table extends TenantTable>(ctx: WriteContext, table: Table, rows: Row<Table>[]): SQL[] {
  if (rows.length === 0) return [];
  const members = writtenMembers(table, rows);
  const sent = JSON.stringify(rows);
  return [template(`insert ${getTableName(table)} ${members.join()}`, [ctx.merchantId, sent], () => insertion(ctx, table, members, sent))];
}

function insertion(ctx: WriteContext, table: TenantTable, members: readonly string[], sent: string): SQL {
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  const stamp = columns.updatedAt ? ['updatedAt'] : [];
  const names = [...members, ...stamp].map((member) => sql.identifier(columns[member]!.name));
  const values = [...members.map((member) => sql`rows.${sql.identifier(member)}`), ...stamp.map(() => sql`now()`)];
  return sql`
    insert into ${sql.identifier(getTableName(table))} (merchant_id, ${sql.join(names, sql`, `)})
    select ${ctx.merchantId}::uuid, ${sql.join(values, sql`, `)}
    from json_to_recordset(${sent}::json) as rows${definition(table, members)}`;
}

/** The database's clock says when a row was changed, whatever a stored row that is written back says. */
function writtenMembers(table: TenantTable, rows: readonly object[]): string[] {
  return Object.keys(getTableColumns(table)).filter((member) => member in rows[0]! && member !== 'updatedAt' && member !== 'merchantId');
}

function definition(table: TenantTable, members: readonly string[]): SQL {
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  return sql`(${sql.join(members.map((member) => sql`${sql.identifier(member)} ${sql.raw(columns[member]!.getSQLType())}`), sql`, `)})`;
}
