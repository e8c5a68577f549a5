import { sql } from 'drizzle-orm';
import { webhook, webhookDelivery } from '../../../drizzle/webhook.ts';
import type { AcrossContext, AcrossMerchants } from '../../db/connection/across-merchants.ts';
import { column } from '../../db/connection/read-rows.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import { dueAt } from './overdue-deliveries.ts';

/** Deliveries beyond this number are not counted: it takes longer and tells the operator nothing new. */
const MAX_COUNTED = sql.raw('100000');
/**
 * Active webhooks whose due deliveries are looked for, and the oldest deliveries of each that are read. Others can be
 * millions that wait for a retry or for a paused webhook, and no index has the times at which they are due.
 */
const MAX_WEBHOOKS = sql.raw('1000');
const MAX_READ_PER_WEBHOOK = sql.raw('100');

export type LedgerFigures = {
  /** Number of pending deliveries, including those of paused webhooks. */
  waiting: number;
  /** Seconds since the oldest pending delivery of an active webhook was due, of those that are read. 0 without one. */
  oldestDueS: number;
  pausedWebhooks: number;
};

/** Figures of all merchants. Pending deliveries are read with the partial index on them, up to limits. */
export async function ledgerFigures({ across }: Pick<AcrossContext, 'across'>): Promise<LedgerFigures> {
  const [waiting] = await across.rows(
    'ledgerFigures',
    { waiting: column.number },
    sql`
    select count(*)::int as "waiting" from (
      select ${webhookDelivery.id} from ${webhookDelivery}
      where ${webhookDelivery.state} = 'PENDING' limit ${MAX_COUNTED}
    ) as waiting`,
  );
  const [paused] = await across.rows(
    'ledgerFigures',
    { pausedWebhooks: column.number },
    sql`select count(*)::int as "pausedWebhooks" from ${webhook} where ${webhook.status} = 'PAUSED'`,
  );
  return { ...waiting!, oldestDueS: await oldestDueS(across), ...paused! };
}

/** Merchant by merchant: Citus refuses a limit per webhook in a statement on several merchants. */
async function oldestDueS(across: AcrossMerchants): Promise<number> {
  const sending = await across.rows(
    'ledgerFigures',
    { merchantId: column.text, id: column.text },
    sql`
    select ${webhook.merchantId} as "merchantId", ${webhook.id} as "id" from ${webhook}
    where ${webhook.status} = 'ACTIVE' and exists (
      select from ${webhookDelivery} where ${webhookDelivery.merchantId} = ${webhook.merchantId}
        and ${webhookDelivery.webhookId} = ${webhook.id} and ${webhookDelivery.state} = 'PENDING')
    limit ${MAX_WEBHOOKS}`,
  );
  let oldest = 0;
  for (const [merchantId, own] of Map.groupBy(sending, ({ merchantId }) => merchantId)) {
    const webhookIds = own.map(({ id }) => id);
    oldest = Math.max(oldest, await oldestDueOf(across, { merchantId }, webhookIds));
  }
  return oldest;
}

async function oldestDueOf(
  across: AcrossMerchants,
  merchant: { merchantId: string },
  webhookIds: readonly string[],
): Promise<number> {
  const [due] = await across.rows(
    'ledgerFigures',
    { oldestDueS: column.number },
    sql`
    select coalesce(extract(epoch from now() - min(waiting.due_at) filter (where waiting.due_at <= now())), 0)::float8
      as "oldestDueS"
    from unnest(${idArray(webhookIds)}) as active(id) cross join lateral (
      select ${dueAt} as due_at from ${webhookDelivery}
      where ${ownedBy(merchant, webhookDelivery)} and ${webhookDelivery.webhookId} = active.id
        and ${webhookDelivery.state} = 'PENDING'
      order by ${webhookDelivery.id} limit ${MAX_READ_PER_WEBHOOK}
    ) as waiting`,
  );
  return due!.oldestDueS;
}
