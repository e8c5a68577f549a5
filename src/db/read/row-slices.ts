import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../connection/read-rows.ts';
import { ownedBy } from '../sql/parameter.ts';
import type { TenantTable } from './projection.ts';

/** 100,000 changes are read in 0.02 s if they are in memory. From a disk it takes longer, but less than the statement timeout. */
const SLICE_ROWS = 100_000;

/** `key`: the column that forms the primary key together with `merchant_id`. */
export type KeyedTable = { readonly table: TenantTable; readonly key: AnyPgColumn };

/** `sliceRows`: the number of rows of a slice, which tests make small. */
export type MeasureOptions = { readonly signal?: AbortSignal; readonly sliceRows?: number | undefined };

/** `oldestS`: age of the oldest row in seconds; 0 without one. */
export type Measure = { readonly rows: number; readonly bytes: number; readonly oldestS: number };

/** Measures a merchant's rows slice by slice. `bytes` is an SQL expression for the bytes of a row. */
export async function measureRows(
  ctx: MerchantContext,
  keyed: KeyedTable & { readonly table: { readonly createdAt: AnyPgColumn } },
  bytes: SQL,
  sliceRows?: number,
): Promise<Measure> {
  const slices: Measure[] = [];
  for await (const isInSlice of rowSlices(ctx, keyed, sliceRows))
    slices.push(
      ...(await readRows(
        ctx,
        { rows: column.number, bytes: column.number, oldestS: column.number },
        sql`
        select count(*)::int as "rows", coalesce(sum(${bytes}), 0)::float8 as "bytes",
          greatest(coalesce(extract(epoch from now() - min(${keyed.table.createdAt})), 0), 0)::float8 as "oldestS"
        from ${keyed.table} where ${isInSlice}`,
      )),
    );
  return sumOfMeasures(slices);
}

/** Combines the measures of several sets of rows. */
export function sumOfMeasures(measures: readonly Measure[]): Measure {
  return measures.reduce(
    (all, { rows, bytes, oldestS }) => ({
      rows: all.rows + rows,
      bytes: all.bytes + bytes,
      oldestS: Math.max(all.oldestS, oldestS),
    }),
    { rows: 0, bytes: 0, oldestS: 0 },
  );
}

/**
 * Divides a merchant's rows of a table into slices, and returns a condition for each. A statement that would read all rows
 * could exceed the statement timeout; one statement for each slice does not, however many rows there are.
 */
export async function* rowSlices(
  ctx: MerchantContext,
  { table, key }: KeyedTable,
  sliceRows = SLICE_ROWS,
): AsyncGenerator<SQL> {
  for (let rest = ownedBy(ctx, table); ;) {
    const [next] = await readRows(
      ctx,
      { key: column.text },
      sql`select ${key} as "key" from ${table} where ${rest} order by ${key} offset ${sliceRows}::integer limit 1`,
    );
    if (!next) return yield rest;
    yield sql`${rest} and ${key} < ${next.key}`;
    rest = sql`${ownedBy(ctx, table)} and ${key} >= ${next.key}`;
  }
}
