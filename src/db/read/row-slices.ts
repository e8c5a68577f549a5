import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../connection/read-rows.ts';
import { ownedBy } from '../sql/tenant.ts';
import type { TenantTable } from './projection.ts';

/** 100,000 changes take 0.02 s, and less than a statement may take if each is on a page that is read from the disk. */
const SLICE_ROWS = 100_000;

/** A table, and the column that its primary key has behind the merchant. */
export type KeyedTable = { readonly table: TenantTable; readonly key: AnyPgColumn };

/** Without `sliceRows` a slice has as many rows as are read well at once. */
export type MeasureOptions = { readonly signal?: AbortSignal; readonly sliceRows?: number | undefined };

/**
 * Conditions that divide a merchant's rows of a table, for statements that read all of them: one statement for each
 * condition never takes longer than statements may, however many rows there are.
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
