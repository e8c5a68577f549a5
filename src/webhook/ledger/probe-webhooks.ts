import { type SQL, sql } from 'drizzle-orm';
import { webhook, webhookDelivery } from '../../../drizzle/webhook.ts';
import type { MerchantContext } from '../../context.ts';
import { forEachMerchant } from '../../db/across/for-each-merchant.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { column, readRows, type Row } from '../../db/connection/read-rows.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { isNotClaimed } from './claim-lapse.ts';
import { isOverdue } from './overdue-deliveries.ts';
import { pausedByMerchant } from './paused-webhooks.ts';
import { queueDeliveries } from './queue-deliveries.ts';

/** From the pause to the first probe, and the longest time between two: each waits as long as the pause has lasted. */
const FIRST_PROBE_AFTER_S = 30;
const MAX_PROBE_INTERVAL_S = 60 * 60;

/** The oldest deliveries of a webhook that are looked at: many may be for a former endpoint, and all may be millions. */
const MAX_SEARCHED = 20_000;
/** Of these, so many are read for the present endpoint, and so many that are begun or for the present endpoint. */
const MAX_READ = 200;

const OLDEST = {
  webhookId: column.text,
  id: column.text,
  endpoint: column.text,
  isBegun: column.boolean,
  isForPresent: column.boolean,
  isOverdue: column.boolean,
  mayProbe: column.boolean,
};

/**
 * Lets each paused webhook send one of the deliveries that wait, to find out whether its endpoint works again:
 * `settleDeliveries` resumes the webhook if it is delivered. Deliveries that the webhook has begun to send to its present
 * endpoint are probes too. Begun ones are queued again if their job was lost, since the ledger sweep leaves paused
 * webhooks out.
 */
export async function probeWebhooks({ db, across }: AcrossContext, signal?: AbortSignal): Promise<void> {
  await forEachMerchant(db, await pausedByMerchant(across), probeWebhooksOf, signal);
}

async function probeWebhooksOf(ctx: MerchantContext): Promise<void> {
  for (const [webhookId, deliveries] of Map.groupBy(await oldestWaiting(ctx), ({ webhookId }) => webhookId)) {
    const begun = deliveries.filter(({ isBegun }) => isBegun);
    const isProbing = begun.some(({ isForPresent }) => isForPresent);
    const probe = isProbing ? undefined : deliveries.find(({ mayProbe }) => mayProbe);
    if (probe) await setProbe(ctx, webhookId, probe.id);
    await queueDeliveries(ctx, [...begun.filter(({ isOverdue }) => isOverdue), ...(probe ? [probe] : [])]);
  }
}

/** The oldest deliveries and the newest one: if no old one is for the present endpoint, the newest one most probably is. */
async function oldestWaiting(ctx: MerchantContext): Promise<Row<typeof OLDEST>[]> {
  const { id, webhookId, state, endpoint, attempts, claimedAt, nextAttemptAt, createdAt } = webhookDelivery;
  const isBegun = sql`(${attempts} > 0 or ${claimedAt} is not null or ${id} = ${webhook.probeId}) is true`;
  const isForPresent = sql`${endpoint} = ${webhook.endpoint}`;
  const waiting = sql`
    select ${id}, ${webhookId}, ${endpoint}, ${attempts}, ${claimedAt}, ${nextAttemptAt}, ${createdAt}
    from ${webhookDelivery}
    where ${ownedBy(ctx, webhookDelivery)} and ${webhookId} = ${webhook.id} and ${state} = 'PENDING'`;
  const oldest = (condition: SQL) => sql`
    select * from (${waiting} order by ${id} limit ${sql.raw(String(MAX_SEARCHED))}) as ${webhookDelivery}
    where ${condition} order by ${id} limit ${sql.raw(String(MAX_READ))}`;
  const lastProbe = sql`greatest(${webhook.probedAt}, ${webhook.pausedAt})`;
  const first = sql`make_interval(secs => ${sql.raw(String(FIRST_PROBE_AFTER_S))})`;
  const longest = sql`make_interval(secs => ${sql.raw(String(MAX_PROBE_INTERVAL_S))})`;
  return await readRows(
    ctx,
    OLDEST,
    sql`
    select ${webhookId} as "webhookId", ${id} as "id", ${endpoint} as "endpoint",
      ${isBegun} as "isBegun", ${isForPresent} as "isForPresent",
      (${isNotClaimed} and ${isOverdue}) as "isOverdue",
      (${isForPresent}
        and now() >= ${lastProbe} + least(greatest(${lastProbe} - ${webhook.pausedAt}, ${first}), ${longest})
      ) is not false as "mayProbe"
    from ${webhook} cross join lateral (
      (${oldest(sql`${isForPresent} or ${isBegun}`)}) union (${oldest(isForPresent)})
      union (${waiting} order by ${id} desc limit 1)) as ${webhookDelivery}
    where ${ownedBy(ctx, webhook)} and ${webhook.status} = 'PAUSED'
    order by ${id}`,
  );
}

async function setProbe(ctx: MerchantContext, webhookId: string, deliveryId: string): Promise<void> {
  await ctx.db.execute(sql`
    update ${webhook} set probe_id = ${deliveryId}::uuid, probed_at = now()
    where ${ownedBy(ctx, webhook)} and ${webhook.id} = ${webhookId} and ${webhook.status} = 'PAUSED'`);
}
