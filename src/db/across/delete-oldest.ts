import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { MerchantContext } from '../../context.ts';
import type { AcrossContext, AcrossMerchants } from '../connection/across-merchants.ts';
import { column } from '../connection/read-rows.ts';
import { idArray, ownedBy } from '../sql/parameter.ts';
import { taskContext } from './merchant-context.ts';
import { MerchantFailures } from './merchant-failures.ts';

/** Rows that one statement deletes at the most. Small, so that it holds its locks for a short time only. */
const BATCH_SIZE = 1_000;
/**
 * Rows of all merchants that one query finds. Many more than BATCH_SIZE, because rows of many merchants alternate: with
 * 1,000 merchants a statement deletes about 20 rows of a window of 20,000, and one row of a window of 1,000.
 */
const WINDOW_SIZE = 20_000;

export type OldRows = {
  table: PgTable & { merchantId: AnyPgColumn };
  /** The column with the age of a row. */
  time: AnyPgColumn;
  /** The condition on `time` for rows that are old enough to be deleted. */
  isDue: SQL;
  /** A further condition on the deleted rows. */
  where?: SQL;
};

/**
 * Deletes old rows of all merchants, the oldest first, with one statement for each merchant of a window, or several if it
 * has more than BATCH_SIZE rows there. Returns the number of deleted rows. Several processes may call this at the same
 * time. If `signal` is aborted, no further statement is sent. `where` may keep many old rows. To read them only once, each
 * window begins at the time of the last row of the window before, and each statement at the time of its first row.
 */
export async function deleteOldest(
  { db, across }: AcrossContext,
  rows: OldRows,
  signal?: AbortSignal,
): Promise<number> {
  const failures = new MerchantFailures();
  let deleted = 0;
  let since = '-infinity';
  for (let found = WINDOW_SIZE; found === WINDOW_SIZE;) {
    const batches = await oldestByMerchant(across, { ...rows, since }, failures.merchantIds);
    for (const batch of batches) {
      if (signal?.aborted) return deleted;
      const merchantRows = { ...rows, ...batch };
      deleted +=
        (await failures.attempt(batch.merchantId, () => deleteRows(taskContext(db, batch.merchantId), merchantRows))) ??
        0;
    }
    found = batches.reduce((sum, { count }) => sum + count, 0);
    since = batches.at(-1)?.until ?? since;
  }
  failures.throwAny();
  return deleted;
}

type RowsSince = OldRows & { since: string };
type Batch = { merchantId: string; since: string; until: string; count: number };

/** The batches of a window. The one with the last row of the window is the last one. */
async function oldestByMerchant(
  across: AcrossMerchants,
  { table, time, isDue, where = sql`true`, since }: RowsSince,
  failed: readonly string[],
): Promise<Batch[]> {
  return await across.rows(
    'oldestByMerchant',
    { merchantId: column.text, since: column.text, until: column.text, count: column.number },
    sql`
    select numbered.merchant_id as "merchantId", min(numbered.time)::text as "since", max(numbered.time)::text as "until",
      count(*)::int as "count"
    from (
      select oldest.merchant_id, oldest.time,
        row_number() over (partition by oldest.merchant_id order by oldest.time) - 1 as number
      from (
        select ${table.merchantId} as merchant_id, ${time} as time from ${table}
        where ${where} and ${isDue} and ${time} >= ${since}::timestamptz
          and ${table.merchantId} <> all(${idArray(failed)})
        order by ${time} limit ${sql.raw(String(WINDOW_SIZE))}
      ) as oldest
    ) as numbered
    group by numbered.merchant_id, numbered.number / ${sql.raw(String(BATCH_SIZE))}
    order by max(numbered.time), min(numbered.number)`,
  );
}

/**
 * Deletes as many rows as were found: further ones may have the same time, such as all counts of a day. The conditions
 * are repeated outside for a row that another transaction has changed meanwhile: before the minor versions of November
 * 2025 PostgreSQL did not compare its `ctid` again. With `is true` no index is used for them, so that rows are found by
 * `ctid`.
 */
async function deleteRows(
  ctx: MerchantContext,
  { table, time, isDue, where = sql`true`, since, until, count }: OldRows & Batch,
): Promise<number> {
  const own = ownedBy(ctx, table);
  const rows = await ctx.db.execute(sql`
    delete from ${table} where ${own} and (${where} and ${isDue}) is true and ctid = any(array(
      select ctid from ${table} where ${own} and ${where}
        and ${time} between ${since}::timestamptz and ${until}::timestamptz
      order by ${time} limit ${count}))
    returning ${table.merchantId}`);
  return rows.length;
}
