import { sql } from 'drizzle-orm';
import { bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import type { Context } from '../../context.ts';
import { ownedBy } from '../../db/sql/tenant.ts';

export const ATTEMPTS_MAX = 3;
const INTERRUPTED = 'was interrupted three times';

type Shop = Pick<Context, 'db' | 'merchantId'>;

/** A picture of a variant, or the thumbnail of a variant value. */
export type ClaimedImage = {
  id: string;
  url: string;
  attempts: number;
  variantId: string | null;
  variantTypeId: string | null;
  variantValueId: string | null;
  isMain: boolean;
  isVideo: boolean | null;
  order: number;
};

/** Those who have waited longest come first. */
export async function merchantsWithDueImages({ db }: Pick<Context, 'db'>, max: number): Promise<string[]> {
  const rows = await db.execute<{ merchantId: string }>(sql`
    select ${bulkOperationImage.merchantId} as "merchantId" from ${bulkOperationImage}
    where ${bulkOperationImage.state} = 'PENDING' and ${bulkOperationImage.nextAttemptAt} <= now()
    group by ${bulkOperationImage.merchantId} order by min(${bulkOperationImage.nextAttemptAt}) limit ${sql.raw(String(max))}`);
  return rows.map(({ merchantId }) => merchantId);
}

/**
 * Begins an attempt for each of those answered, `count` at most. Until it lapses nobody else claims them; then the attempt counts as one
 * that ended with its process.
 */
export async function claimBulkImages(ctx: Shop, count: number, attemptLapsesMs: number): Promise<ClaimedImage[]> {
  const due = sql`${ownedBy(ctx, bulkOperationImage)} and ${bulkOperationImage.state} = 'PENDING' and ${bulkOperationImage.nextAttemptAt} <= now()
    and ${bulkOperationImage.attempts} < ${sql.raw(String(ATTEMPTS_MAX))}`;
  // As an array the rows are chosen once. With `in`, a plan may choose again for each row, and claim more than `count`.
  return await ctx.db.execute<ClaimedImage>(sql`
    update ${bulkOperationImage} set attempts = ${bulkOperationImage.attempts} + 1, next_attempt_at = now() + ${attemptLapsesMs} * interval '1 millisecond'
    where ${ownedBy(ctx, bulkOperationImage)} and ${bulkOperationImage.id} = any(array(
      select ${bulkOperationImage.id} from ${bulkOperationImage} where ${due}
      order by ${bulkOperationImage.nextAttemptAt}, ${bulkOperationImage.id} limit ${count} for update skip locked))
    returning ${bulkOperationImage.id}, ${bulkOperationImage.url}, ${bulkOperationImage.attempts}, ${bulkOperationImage.variantId} as "variantId",
      ${bulkOperationImage.variantTypeId} as "variantTypeId", ${bulkOperationImage.variantValueId} as "variantValueId",
      ${bulkOperationImage.isMain} as "isMain", ${bulkOperationImage.isVideo} as "isVideo", ${bulkOperationImage.order}::float8 as "order"`);
}

/** Those whose process ended in the middle of the last attempt. */
export async function failInterruptedImages(ctx: Shop): Promise<void> {
  await ctx.db.execute(sql`
    update ${bulkOperationImage} set state = 'FAILED', error = coalesce(${bulkOperationImage.error}, ${INTERRUPTED}), updated_at = now()
    where ${ownedBy(ctx, bulkOperationImage)} and ${bulkOperationImage.state} = 'PENDING'
      and ${bulkOperationImage.nextAttemptAt} <= now() and ${bulkOperationImage.attempts} >= ${sql.raw(String(ATTEMPTS_MAX))}`);
}
