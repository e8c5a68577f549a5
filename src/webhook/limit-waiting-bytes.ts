import { sql } from 'drizzle-orm';
import { webhook, webhookDelivery } from '../../drizzle/webhook.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/connection/connect.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { logWithReason } from './attempt-log.ts';

/** Few enough that a save of the webhook does not wait long. */
const BATCH_SIZE = 1_000;
/** In the log of a delivery that was given up here. */
const QUOTA_EXCEEDED = 'quota exceeded';
/** All members but the id were left out. */
const ALL_TRUNCATED = '["*"]';

type MerchantContext = Pick<Context, 'db' | 'merchantId'>;

/**
 * Limits the payload bytes that wait for paused webhooks, by merchant: past the limit the oldest are given up
 * and only their record's id is kept. Deliveries of active webhooks neither count nor are given up. Answers how
 * many were.
 */
export async function limitWaitingBytes(
  db: Database,
  { waitingBytesMax }: { waitingBytesMax: number },
): Promise<number> {
  const merchants = await db.execute<{ merchantId: string }>(sql`
    select ${webhook.merchantId} as "merchantId"
    from ${webhook} join ${webhookDelivery} on ${webhookDelivery.merchantId} = ${webhook.merchantId} and ${webhookDelivery.webhookId} = ${webhook.id}
    where ${webhook.status} = 'PAUSED' and ${webhookDelivery.state} = 'PENDING'
    group by ${webhook.merchantId} having sum(octet_length(${webhookDelivery.data})) > ${waitingBytesMax}::bigint`);
  let givenUp = 0;
  for (const { merchantId } of merchants) {
    for (let count = BATCH_SIZE; count === BATCH_SIZE; givenUp += count)
      count = await giveUpOldest({ db, merchantId }, waitingBytesMax);
  }
  return givenUp;
}

/** A webhook that is resumed at this moment either waits or keeps what waits for it. */
async function giveUpOldest(ctx: MerchantContext, waitingBytesMax: number): Promise<number> {
  return await inTransaction(ctx, async (ctx) => {
    await ctx.db.execute(
      sql`select from ${webhook} where ${ownedBy(ctx, webhook)} and ${webhook.status} = 'PAUSED' order by ${webhook.id} for share`,
    );
    const rows = await ctx.db.execute(sql`
      update ${webhookDelivery}
      set state = 'FAILED', data = '{"id":"' || ${webhookDelivery.recordId}::text || '"}', truncated = ${ALL_TRUNCATED}::json,
        attempt_log = ${logWithReason(QUOTA_EXCEEDED)}
      from (
        select waiting.id from (
          select ${webhookDelivery.id} as id, sum(octet_length(${webhookDelivery.data})) over (order by ${webhookDelivery.id} desc) as bytes_since
          from ${webhookDelivery} join ${webhook} on ${ownedBy(ctx, webhook)} and ${webhook.id} = ${webhookDelivery.webhookId}
          where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.state} = 'PENDING' and ${webhookDelivery.claimedAt} is null and ${webhook.status} = 'PAUSED'
        ) as waiting
        where waiting.bytes_since > ${waitingBytesMax}::bigint order by waiting.id limit ${sql.raw(String(BATCH_SIZE))}
      ) as oldest
      where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.id} = oldest.id
      returning ${webhookDelivery.id}`);
    return rows.length;
  });
}
