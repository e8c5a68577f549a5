import { getTableName, type InferInsertModel, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { merchant } from '../../../drizzle/merchant.ts';
import type { MerchantContext } from '../../context.ts';
import { mapInSlices } from '../../limits/event-loop-slices.ts';
import { type PipelineStep, pipelineStep, type Statement } from '../connection/pipeline.ts';
import type { RecordTable, TenantTable } from '../read/projection.ts';
import { cachedSql } from '../sql/compiled-statement.ts';
import { ownedBy } from '../sql/parameter.ts';
import { columnsOf } from '../sql/table-columns.ts';
import { laterThanStored } from './touch.ts';

/** Writing so many rows as JSON takes less than 10 ms, so it need not yield to the event loop. */
const MAX_ROWS_AT_ONCE = 500;

/** Adds an `id` if the table has one: its default is volatile, and a cluster would evaluate it on the coordinator. */
export type InsertedRow<Table extends TenantTable> = Omit<InferInsertModel<Table>, 'merchantId'> &
  (Table extends { id: AnyPgColumn } ? { id: string } : {});

/**
 * Inserts rows in one step; returns no step for no rows. Rows are sent as one JSON parameter, so that the text does
 * not depend on their number. All rows have the members of the first one, named as in the TypeScript table. The
 * database sets `updatedAt`.
 */
export function insert<Table extends TenantTable>(
  ctx: MerchantContext,
  table: Table,
  rows: InsertedRow<Table>[],
): PipelineStep<void>[] {
  return rows.length === 0 ? [] : [pipelineStep(insertStatement(ctx, table, rows))];
}

type Member<Table extends TenantTable> = keyof InsertedRow<Table> & string;
/** `among`: the condition of a partial unique index. */
type UniqueKey<Table extends TenantTable> = { key: readonly Member<Table>[]; among?: SQL };

/** Inserts the rows whose unique key is free and returns their ids. */
export function insertIfAbsent<Table extends RecordTable>(
  ctx: MerchantContext,
  table: Table,
  { key, among }: UniqueKey<Table>,
  rows: InsertedRow<Table>[],
): PipelineStep<string[]>[] {
  if (rows.length === 0) return [];
  const condition = among ? sql` where ${among}` : sql``;
  const statement = insertStatement(
    ctx,
    table,
    rows,
    (inserted) => sql`
    ${inserted} on conflict (${target(table, key)})${condition} do nothing returning id`,
  );
  return [{ statement, read: (rows) => rows.map(({ id }) => id as string) }];
}

/** Inserts rows, or updates those whose key exists. An existing row keeps its `id` and `createdAt`. */
export function upsert<Table extends TenantTable>(
  ctx: MerchantContext,
  table: Table,
  key: readonly Member<Table>[],
  rows: InsertedRow<Table>[],
): PipelineStep<void>[] {
  if (rows.length === 0) return [];
  const members = writtenMembers(table, rows);
  const name = `upsert ${getTableName(table)} ${key.join()} ${members.join()}`;
  const statement = withRows(ctx, rows, (sent) =>
    cachedSql(
      ctx,
      name,
      [sent, ctx.merchantId],
      () =>
        sql`${insertion(ctx, table, members, sent)} on conflict (${target(table, key)}) ${resolution(table, key, members)}`,
    ),
  );
  return [pipelineStep(statement)];
}

/** Inserts rows. Where the key exists, merges the value of the column `member` with that of the existing row instead. */
export function insertOrMerge<Table extends TenantTable>(
  ctx: MerchantContext,
  table: Table,
  { key, member, merge }: UniqueKey<Table> & { member: Member<Table>; merge: (stored: SQL, sent: SQL) => SQL },
  rows: InsertedRow<Table>[],
): PipelineStep<void>[] {
  if (rows.length === 0) return [];
  const column = columnsOf(table)[member]!;
  const name = sql.identifier(column.name);
  const statement = insertStatement(
    ctx,
    table,
    rows,
    (inserted) => sql`
    ${inserted} on conflict (${target(table, key)})
    do update set ${name} = ${merge(sql`${column}`, sql`excluded.${name}`)}`,
  );
  return [pipelineStep(statement)];
}

function resolution(table: TenantTable, key: readonly string[], members: readonly string[]): SQL {
  const changed = members.filter((member) => !key.includes(member) && !['id', 'createdAt'].includes(member));
  if (changed.length === 0) return sql`do nothing`;
  return sql`do update set ${assignments(table, changed, excluded, insertedNow)} where ${differs(table, changed, excluded)}`;
}

/** Updates existing rows. Measured: half of the time of an upsert, which first prepares an insertion. */
export function update<Table extends RecordTable>(
  ctx: MerchantContext,
  table: Table,
  rows: (Partial<InsertedRow<Table>> & { id: string })[],
): PipelineStep<void>[] {
  if (rows.length === 0) return [];
  const members = writtenMembers(table, rows);
  const changed = members.filter((member) => member !== 'id');
  const make = (sent: string): SQL => sql`
    update ${table} set ${assignments(table, changed, sentRow, changedNow)}
    from json_to_recordset(${sent}::json) as rows${definition(table, members)}
    where ${ownedBy(ctx, table)} and ${table.id} = rows.id and ${differs(table, changed, sentRow)}`;
  const name = `update ${getTableName(table)} ${members.join()}`;
  const statement = withRows(ctx, rows, (sent) => cachedSql(ctx, name, [sent, ctx.merchantId], () => make(sent)));
  return [pipelineStep(statement)];
}

/** The new value of a member, in SET and in the comparison. */
type NewValue = (member: string, column: AnyPgColumn) => SQL;
const excluded: NewValue = (_, column) => sql`excluded.${sql.identifier(column.name)}`;
const sentRow: NewValue = (member) => sql`rows.${sql.identifier(member)}`;

/** The time of the change. A cluster accepts `now()` in SET, but not in DO UPDATE SET. */
const changedNow = sql`now()`;
const insertedNow = sql`excluded.updated_at`;

function assignments(table: TenantTable, members: readonly string[], newValue: NewValue, now: SQL): SQL {
  const columns = columnsOf(table);
  const set = members.map(
    (member) => sql`${sql.identifier(columns[member]!.name)} = ${newValue(member, columns[member]!)}`,
  );
  const stamp = columns.updatedAt ? [sql`updated_at = ${laterThanStored(columns.updatedAt, now)}`] : [];
  return sql.join([...set, ...stamp], sql`, `);
}

/** Skips unchanged rows: each new row version costs an entry in every index. */
function differs(table: TenantTable, members: readonly string[], newValue: NewValue): SQL {
  const columns = columnsOf(table);
  // json has no equality operator; its text is stored verbatim and has one.
  const comparable = (side: SQL, column: AnyPgColumn): SQL =>
    column.getSQLType() === 'json' ? sql`${side}::text` : side;
  const stored = members.map((member) => comparable(sql`${columns[member]}`, columns[member]!));
  const sent = members.map((member) => comparable(newValue(member, columns[member]!), columns[member]!));
  return sql`(${sql.join(stored, sql`, `)}) is distinct from (${sql.join(sent, sql`, `)})`;
}

function target(table: TenantTable, key: readonly string[]): SQL {
  const columns = columnsOf(table);
  return sql.join(
    ['merchantId', ...key].map((member) => sql.identifier(columns[member]!.name)),
    sql`, `,
  );
}

function insertStatement<Table extends TenantTable>(
  ctx: MerchantContext,
  table: Table,
  rows: InsertedRow<Table>[],
  end: (inserted: SQL) => SQL = (inserted) => inserted,
): Statement {
  const members = writtenMembers(table, rows);
  const name = `insert ${getTableName(table)} ${members.join()}`;
  return withRows(ctx, rows, (sent) =>
    end(cachedSql(ctx, name, [sent, ctx.merchantId], () => insertion(ctx, table, members, sent))),
  );
}

/**
 * Rows from JSON beside the merchant's row, whose shard they belong to. Without the row a cluster evaluates the JSON on
 * the coordinator and commits in two phases: measured 26 ms for one row instead of 15. Plain PostgreSQL looks it up in
 * 0.01 ms.
 */
function insertion(ctx: MerchantContext, table: TenantTable, members: readonly string[], sent: string): SQL {
  const columns = columnsOf(table);
  const stamp = columns.updatedAt ? ['updatedAt'] : [];
  const names = [...members, ...stamp].map((member) => sql.identifier(columns[member]!.name));
  const values = [...members.map((member) => sql`rows.${sql.identifier(member)}`), ...stamp.map(() => sql`now()`)];
  return sql`
    insert into ${sql.identifier(getTableName(table))} (merchant_id, ${sql.join(names, sql`, `)})
    select ${merchant.merchantId}, ${sql.join(values, sql`, `)}
    from ${merchant}, json_to_recordset(${sent}::json) as rows${definition(table, members)}
    where ${ownedBy(ctx, merchant)}`;
}

/** The statement with the rows as JSON. Thousands of rows take so long that other requests are served meanwhile. */
function withRows(ctx: MerchantContext, rows: readonly object[], make: (sent: string) => SQL): Statement {
  if (rows.length <= MAX_ROWS_AT_ONCE) return make(JSON.stringify(rows.map(withoutNulls)));
  const texts = mapInSlices(ctx, rows, (row) => JSON.stringify(withoutNulls(row)));
  return texts.then((texts) => make(`[${texts.join(',')}]`));
}

/** Without members that are null: `json_to_recordset` returns null for what is missing. */
function withoutNulls(row: object): object {
  const kept: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(row)) if (value !== null) kept[member] = value;
  return kept;
}

/** `updatedAt` is set by the database, whatever a stored row contains. */
function writtenMembers(table: TenantTable, rows: readonly object[]): string[] {
  return Object.keys(columnsOf(table)).filter(
    (member) => member in rows[0]! && member !== 'updatedAt' && member !== 'merchantId',
  );
}

function definition(table: TenantTable, members: readonly string[]): SQL {
  const columns = columnsOf(table);
  return sql`(${sql.join(
    members.map((member) => sql`${sql.identifier(member)} ${sql.raw(columns[member]!.getSQLType())}`),
    sql`, `,
  )})`;
}
