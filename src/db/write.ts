import { getTableColumns, getTableName, type InferInsertModel, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Context } from '../context.ts';
import { idList } from './parameter.ts';
import type { TenantTable } from './shape.ts';
import { of } from './tenant.ts';

type WriteContext = Pick<Context, 'db' | 'merchantId'>;
type Row<Table extends TenantTable> = Omit<InferInsertModel<Table>, 'merchantId'>;

/**
 * Sends statements one behind the other without waiting for each answer, so that many cost one round
 * trip. They run in this order; inside a transaction, as it has one connection.
 */
export async function run(ctx: WriteContext, statements: SQL[]): Promise<void> {
  await Promise.all(statements.map((statement) => ctx.db.execute(statement)));
}

/**
 * Rows travel as one JSON parameter, so a statement has one text for any number of them. All rows
 * have the members of the first; members are named as in the table's TypeScript. `updatedAt` is set
 * by the database.
 */
export async function insertRows<Table extends TenantTable>(ctx: WriteContext, table: Table, rows: Row<Table>[]): Promise<void> {
  if (rows.length > 0) await run(ctx, [insert(ctx, table, rows)]);
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
  if (rows.length === 0) return [];
  const inserted = await ctx.db.execute<{ id: string }>(sql`
    ${insert(ctx, table, rows)} on conflict (${target(table, key)})${among ? sql` where ${among}` : sql``} do nothing returning id`);
  return inserted.map(({ id }) => id);
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
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  const changed = writtenMembers(rows).filter((member) => !key.includes(member as never) && member !== 'createdAt');
  const set = [...changed, ...(columns.updatedAt ? ['updatedAt'] : [])].map((member) => {
    const name = sql.identifier(columns[member]!.name);
    return sql`${name} = excluded.${name}`;
  });
  // A row that says the same again is left alone: writing it anew would cost an index entry in every index.
  const action = changed.length > 0 ? sql`do update set ${sql.join(set, sql`, `)} where ${differs(table, changed)}` : sql`do nothing`;
  return [sql`${insert(ctx, table, rows)} on conflict (${target(table, key)}) ${action}`];
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
export function replace<Table extends TenantTable>(
  ctx: WriteContext,
  table: Table,
  { parent, parentIds, key, rows, among }: Replacement<Table>,
): SQL[] {
  if (parentIds.length === 0) return [];
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  // Equality where it will do, as only that can be hashed.
  const same = key.map((member) => {
    const operator = sql.raw(columns[member]!.notNull ? '=' : 'is not distinct from');
    return sql`kept.${sql.identifier(member)} ${operator} ${columns[member]}`;
  });
  const gone = sql`
    delete from ${table}
    where ${of(ctx, table)} and ${columns[parent]} = any(${idList(parentIds)})${among ? sql` and ${among}` : sql``}
      and not exists (select from ${recordset(rows)} as kept${definition(table, key)} where ${sql.join(same, sql` and `)})`;
  return [gone, ...upsert(ctx, table, key, rows)];
}

function target(table: TenantTable, key: readonly string[]): SQL {
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  return sql.join(['merchantId', ...key].map((member) => sql.identifier(columns[member]!.name)), sql`, `);
}

function insert<Table extends TenantTable>(ctx: WriteContext, table: Table, rows: Row<Table>[]): SQL {
  const members = writtenMembers(rows);
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  const stamp = columns.updatedAt ? ['updatedAt'] : [];
  const names = [...members, ...stamp].map((member) => sql.identifier(columns[member]!.name));
  const values = [...members.map((member) => sql`rows.${sql.identifier(member)}`), ...stamp.map(() => sql`now()`)];
  return sql`
    insert into ${sql.identifier(getTableName(table))} (merchant_id, ${sql.join(names, sql`, `)})
    select ${ctx.merchantId}::uuid, ${sql.join(values, sql`, `)}
    from ${recordset(rows)} as rows${definition(table, members)}`;
}

/** The database's clock says when a row was changed, whatever a stored row that is written back says. */
function writtenMembers(rows: object[]): string[] {
  return Object.keys(rows[0]!).filter((member) => member !== 'updatedAt' && member !== 'merchantId');
}

function recordset(rows: object[]): SQL {
  return sql`json_to_recordset(${JSON.stringify(rows)}::json)`;
}

function definition(table: TenantTable, members: readonly string[]): SQL {
  const columns = getTableColumns(table) as Record<string, AnyPgColumn>;
  return sql`(${sql.join(members.map((member) => sql`${sql.identifier(member)} ${sql.raw(columns[member]!.getSQLType())}`), sql`, `)})`;
}
