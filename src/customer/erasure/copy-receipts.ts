import { sql } from 'drizzle-orm';
import { erasure } from '../../../drizzle/erasure.ts';
import type { MerchantContext } from '../../context.ts';
import { taskContext } from '../../db/across/merchant-context.ts';
import { MerchantFailures } from '../../db/across/merchant-failures.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { column } from '../../db/connection/read-rows.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import { epochMs } from '../../db/sql/timestamp.ts';
import type { ErasureLog } from './erasure-log.ts';

/** Small, because copies in a bucket are written one after the other, and a batch that fails is written again. */
const BATCH_SIZE = 20;

/**
 * Writes the receipts of all merchants that have no copy outside of the database, the oldest first, and marks them.
 * Returns their number. After a crash in between they are written again.
 */
export async function copyReceipts(
  { db, across }: AcrossContext,
  log: ErasureLog,
  signal?: AbortSignal,
): Promise<number> {
  const failures = new MerchantFailures();
  let copied = 0;
  for (let hasMore = true; hasMore && !signal?.aborted;) {
    const receipts = await across.rows(
      'receiptsWithoutCopy',
      { merchantId: column.text, id: column.text, customerIds: column.json<string[]>, createdAt: column.number },
      sql`
      select ${erasure.merchantId} as "merchantId", ${erasure.id} as "id", to_json(${erasure.customerIds}) as "customerIds",
        ${epochMs(erasure.createdAt)} as "createdAt"
      from ${erasure}
      where ${erasure.copiedAt} is null and ${erasure.merchantId} <> all(${idArray(failures.merchantIds)})
      order by ${erasure.createdAt} limit ${sql.raw(String(BATCH_SIZE))}`,
    );
    hasMore = receipts.length > 0;
    if (hasMore) await log.write(receipts);
    for (const [merchantId, own] of Map.groupBy(receipts, (receipt) => receipt.merchantId))
      copied += (await failures.attempt(merchantId, () => markCopied(taskContext(db, merchantId), own))) ?? 0;
  }
  failures.throwAny();
  return copied;
}

async function markCopied(ctx: MerchantContext, receipts: readonly { id: string }[]): Promise<number> {
  const marked = await ctx.db.execute(sql`
    update ${erasure} set copied_at = now()
    where ${ownedBy(ctx, erasure)} and ${erasure.id} = any(${idArray(receipts.map(({ id }) => id))})
    returning ${erasure.id}`);
  return marked.length;
}

/** A worker copies receipts within this time. */
const COPIED_WITHIN_MINUTES = 10;

/** The number of receipts that should have a copy outside of the database by now. */
export async function countUncopied({ across }: Pick<AcrossContext, 'across'>): Promise<number> {
  const [row] = await across.rows(
    'countReceiptsWithoutCopy',
    { count: column.number },
    sql`
    select count(*)::int as "count" from ${erasure}
    where ${erasure.copiedAt} is null
      and ${erasure.createdAt} < now() - make_interval(mins => ${sql.raw(String(COPIED_WITHIN_MINUTES))})`,
  );
  return row!.count;
}
