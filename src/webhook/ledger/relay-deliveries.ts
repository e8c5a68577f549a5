import { sql } from 'drizzle-orm';
import { webhookDelivery } from '../../../drizzle/webhook.ts';
import type { MerchantContext } from '../../context.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import type { Database } from '../../db/connection/database.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { idArray, ownedBy, textArray } from '../../db/sql/parameter.ts';

const BATCH_SIZE = 500;
/**
 * Less than the batch, so that deliveries of others do not wait while one merchant changes many records. More than the
 * common lane of the queue takes of one merchant at once.
 */
const MAX_PER_MERCHANT = 250;

type NewDelivery = { merchantId: string; id: string; endpoint: string };

const COLUMNS = { id: column.text, endpoint: column.text };
const IS_NEW = sql`not ${webhookDelivery.isQueued} and ${webhookDelivery.nextAttemptAt} is not null`;

/**
 * Makes the jobs of new deliveries of all merchants, in turns and the oldest of each first. Returns their number. Two
 * steps that can be repeated: first the jobs, then the marks in the ledger. A crash in between makes the same jobs
 * again, and the ledger decides whether another request may be made. Several workers may do this at once.
 */
export async function relayDeliveries({ db, across }: AcrossContext): Promise<number> {
  const deliveries = await across.rows(
    'relayDeliveries',
    { merchantId: column.text, ...COLUMNS },
    sql`
    select "merchantId", "id", "endpoint" from (
      select ${webhookDelivery.merchantId} as "merchantId", ${webhookDelivery.id} as "id",
        ${webhookDelivery.endpoint} as "endpoint",
        row_number() over (partition by ${webhookDelivery.merchantId} order by ${webhookDelivery.id}) as turn
      from ${webhookDelivery} where ${IS_NEW}
    ) as new
    where turn <= ${sql.raw(String(MAX_PER_MERCHANT))}
    order by turn, "id" limit ${sql.raw(String(BATCH_SIZE))}`,
  );
  await queue(db, deliveries);
  return deliveries.length;
}

/**
 * Makes the jobs of the oldest new deliveries of one merchant, as `relayDeliveries` does. True if there may be more.
 */
export async function relayDeliveriesOf(ctx: MerchantContext): Promise<boolean> {
  const { db, merchantId } = ctx;
  const rows = await readRows(
    ctx,
    COLUMNS,
    sql`
    select ${webhookDelivery.id} as "id", ${webhookDelivery.endpoint} as "endpoint" from ${webhookDelivery}
    where ${ownedBy(ctx, webhookDelivery)} and ${IS_NEW}
    order by ${webhookDelivery.id} limit ${sql.raw(String(MAX_PER_MERCHANT))}`,
  );
  await queue(
    db,
    rows.map((row) => ({ merchantId, ...row })),
  );
  return rows.length === MAX_PER_MERCHANT;
}

async function queue(db: Database, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await db.execute(sql`
    select queue_new_webhook_deliveries(
      ${idArray(deliveries.map(({ merchantId }) => merchantId))}, ${idArray(deliveries.map(({ id }) => id))},
      ${textArray(deliveries.map(({ endpoint }) => endpoint))})`);
  const byMerchant = Map.groupBy(deliveries, ({ merchantId }) => merchantId);
  await Promise.all([...byMerchant].map(async ([merchantId, own]) => await markQueued({ db, merchantId }, own)));
}

async function markQueued(ctx: MerchantContext, deliveries: readonly NewDelivery[]): Promise<void> {
  await ctx.db.execute(sql`
    update ${webhookDelivery} set is_queued = true
    where ${ownedBy(ctx, webhookDelivery)}
      and ${webhookDelivery.id} = any(${idArray(deliveries.map(({ id }) => id))})`);
}
