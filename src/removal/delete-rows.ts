import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, getTableConfig } from 'drizzle-orm/pg-core';
import { category, categoryProduct } from '../../drizzle/index.ts';
import type { MerchantContext } from '../context.ts';
import { SliceSize } from '../db/across/slice-size.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { retryUndone } from '../db/connection/transaction.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import { removableRows, type RemovedTable } from './removed-tables.ts';

/** Rows that one statement deletes at the most, so that it holds its locks for a short time only. */
const BATCH_SIZE = 1_000;

/**
 * Deletes the merchant's rows of a table, each batch in a transaction of its own, and returns their number. Rows that others
 * write meanwhile may stay. Each batch begins behind the one before, whose entries of the index it would pass again: while an
 * old snapshot keeps them, a million rows would take a thousand times as long.
 */
export async function deleteRows(ctx: MerchantContext, table: RemovedTable): Promise<number> {
  const batches = new SliceSize(BATCH_SIZE);
  let deleted = 0;
  for (let after: string[] | null = null; ;) {
    const range: Range = { key: keyOf(table), after };
    const batch: Batch | undefined = await batches.run(
      async (size) => await retryUndone(async () => await deleteBatch(ctx, table, range, size)),
    );
    if (!batch) return deleted;
    deleted += batch.count;
    if (range.key.length === 0) return deleted;
    after = batch.last;
  }
}

/**
 * Deletes the rest of the categories in one statement. Plain SQL can have made each of them a subcategory of another, in a
 * cycle, so that none of them is without subcategories.
 */
export async function deleteCategoryCycles(ctx: MerchantContext): Promise<number> {
  const deleted = await ctx.db.execute(sql`
    delete from ${category} where ${ownedBy(ctx, category)} returning ${category.id}`);
  return deleted.length;
}

type Range = { readonly key: readonly AnyPgColumn[]; readonly after: readonly string[] | null };
type Batch = { count: number; last: string[] };

/** The columns of an index after that of the merchant, by which the rows are passed. */
function keyOf(table: RemovedTable): AnyPgColumn[] {
  if (table === categoryProduct) return [categoryProduct.categoryId];
  const [primaryKey] = getTableConfig(table).primaryKeys;
  if (!primaryKey) throw new Error(`The table ${getTableName(table)} has no primary key.`);
  // Those of the key do not know their types.
  const columns = Object.values<AnyPgColumn>(getTableColumns(table));
  return primaryKey.columns.slice(1).map(({ name }) => columns.find((own) => own.name === name)!);
}

/** Deletes the next rows. Undefined if there are none. */
async function deleteBatch(
  ctx: MerchantContext,
  table: RemovedTable,
  { key, after }: Range,
  size: number,
): Promise<Batch | undefined> {
  const own = ownedBy(ctx, table);
  const names = key.map((_, place) => sql.raw(`k${place}`));
  const order = key.length === 0 ? sql`` : sql`order by ${sql.join([...key], sql`, `)}`;
  const last = key.length === 0 ? sql`array[]::text[]` : sql`array[${listOf(names, (name) => sql`r.${name}::text`)}]`;
  const [batch] = await readRows(
    ctx,
    { count: column.number, last: column.json<string[]> },
    sql`
    with removed as (
      delete from ${table} where ${own} and ctid = any(array(
        select ctid from ${table} where ${own} and ${removableRows(ctx, table)}${isAfter(table, key, after)}
        ${order} limit ${size}::integer))
      returning ${key.length === 0 ? sql`1 as one` : listOf(key, (part, place) => sql`${part} as ${names[place]}`)})
    select (count(*) over ())::int as "count", to_json(${last}) as "last" from removed r
    ${key.length === 0 ? sql`` : sql`order by ${listOf(names, (name) => sql`r.${name} desc`)}`} limit 1`,
  );
  return batch;
}

/** Several rows may have the key of the last one only if it is not the primary key. */
function isAfter(table: RemovedTable, key: readonly AnyPgColumn[], after: readonly string[] | null): SQL {
  if (!after || key.length === 0) return sql``;
  const values = listOf(key, (part, place) => sql`${after[place]!}::${sql.raw(part.getSQLType())}`);
  return sql` and (${sql.join([...key], sql`, `)}) ${sql.raw(table === categoryProduct ? '>=' : '>')} (${values})`;
}

function listOf<T>(items: readonly T[], part: (item: T, place: number) => SQL): SQL {
  return sql.join(items.map(part), sql`, `);
}
