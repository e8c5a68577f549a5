import { sql } from 'drizzle-orm';
import { bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import type { MerchantContext } from '../../context.ts';
import type { AcrossContext, AcrossMerchants } from '../../db/connection/across-merchants.ts';
import { column, readRows, type Row } from '../../db/connection/read-rows.ts';
import { NO_ID } from '../../db/sql/id.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { MAX_ATTEMPTS } from '../../limits/retry-policy.ts';
import { failRevoked } from './fail-revoked.ts';

const INTERRUPTED = 'was interrupted three times';

const CLAIMED = {
  id: column.text,
  bulkOperationId: column.text,
  url: column.text,
  attempts: column.number,
  variantId: column.nullable(column.text),
  variantTypeId: column.nullable(column.text),
  variantValueId: column.nullable(column.text),
  isMain: column.boolean,
  isVideo: column.nullable(column.boolean),
  order: column.number,
};

/** A picture of a variant, or the thumbnail of a variant value. */
export type ClaimedImage = Row<typeof CLAIMED>;

/**
 * The merchant that has waited longest comes first. Each statement looks up the first pending picture of the next
 * merchant in the index, so that the cost does not depend on the number of pictures.
 */
export async function merchantsWithDueImages(
  { across }: Pick<AcrossContext, 'across'>,
  max: number,
): Promise<string[]> {
  const due: { merchantId: string; dueForS: number }[] = [];
  for (let next = await nextPending(across, NO_ID); next; next = await nextPending(across, next.merchantId)) {
    if (next.dueForS >= 0) due.push(next);
  }
  due.sort((a, b) => b.dueForS - a.dueForS);
  return due.slice(0, max).map(({ merchantId }) => merchantId);
}

async function nextPending(
  across: AcrossMerchants,
  after: string,
): Promise<{ merchantId: string; dueForS: number } | undefined> {
  const [next] = await across.rows(
    'merchantsWithDueImages',
    { merchantId: column.text, dueForS: column.number },
    sql`
    select ${bulkOperationImage.merchantId} as "merchantId",
      extract(epoch from now() - ${bulkOperationImage.nextAttemptAt})::float8 as "dueForS"
    from ${bulkOperationImage}
    where ${bulkOperationImage.state} = 'PENDING' and ${bulkOperationImage.merchantId} > ${after}::uuid
    order by ${bulkOperationImage.merchantId}, ${bulkOperationImage.nextAttemptAt} limit 1`,
  );
  return next;
}

/**
 * Claims at most `count` due pictures and counts an attempt for each. No other process claims them until the claim
 * lapses; an attempt whose claim has lapsed was interrupted with its process, and counts. Those of revoked apps fail.
 */
export async function claimBulkImages(
  ctx: MerchantContext,
  count: number,
  attemptLapsesMs: number,
): Promise<ClaimedImage[]> {
  const claimed = await claimDue(ctx, count, attemptLapsesMs);
  const revoked = new Set(
    await failRevoked(
      ctx,
      claimed.map(({ bulkOperationId }) => bulkOperationId),
    ),
  );
  const kept = claimed.filter(({ bulkOperationId }) => !revoked.has(bulkOperationId));
  if (kept.length === claimed.length) return kept;
  // Others may be due behind those that failed.
  return [...kept, ...(await claimBulkImages(ctx, count - kept.length, attemptLapsesMs))];
}

async function claimDue(ctx: MerchantContext, count: number, attemptLapsesMs: number): Promise<ClaimedImage[]> {
  const due = sql`${ownedBy(ctx, bulkOperationImage)} and ${bulkOperationImage.state} = 'PENDING'
    and ${bulkOperationImage.nextAttemptAt} <= now()
    and ${bulkOperationImage.attempts} < ${sql.raw(String(MAX_ATTEMPTS))}`;
  // `any(array(…))` selects the rows once. With `in`, a plan may run the sub-select for each row and claim more than
  // `count`.
  return await readRows(
    ctx,
    CLAIMED,
    sql`
    update ${bulkOperationImage}
      set attempts = ${bulkOperationImage.attempts} + 1,
        next_attempt_at = now() + ${attemptLapsesMs} * interval '1 millisecond'
    where ${ownedBy(ctx, bulkOperationImage)} and ${bulkOperationImage.id} = any(array(
      select ${bulkOperationImage.id} from ${bulkOperationImage} where ${due}
      order by ${bulkOperationImage.nextAttemptAt}, ${bulkOperationImage.id} limit ${count} for update skip locked))
    returning ${bulkOperationImage.id}, ${bulkOperationImage.bulkOperationId} as "bulkOperationId",
      ${bulkOperationImage.url}, ${bulkOperationImage.attempts},
      ${bulkOperationImage.variantId} as "variantId",
      ${bulkOperationImage.variantTypeId} as "variantTypeId", ${bulkOperationImage.variantValueId} as "variantValueId",
      ${bulkOperationImage.isMain} as "isMain", ${bulkOperationImage.isVideo} as "isVideo",
        ${bulkOperationImage.order}::float8 as "order"`,
  );
}

/** Fails the pictures whose last attempt was interrupted with its process. */
export async function failInterruptedImages(ctx: MerchantContext): Promise<void> {
  await ctx.db.execute(sql`
    update ${bulkOperationImage}
      set state = 'FAILED', error = coalesce(${bulkOperationImage.error}, ${INTERRUPTED}), updated_at = now()
    where ${ownedBy(ctx, bulkOperationImage)} and ${bulkOperationImage.state} = 'PENDING'
      and ${bulkOperationImage.nextAttemptAt} <= now()
      and ${bulkOperationImage.attempts} >= ${sql.raw(String(MAX_ATTEMPTS))}`);
}
