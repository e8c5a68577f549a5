import { sql } from 'drizzle-orm';
import { webhook, webhookDelivery } from '../../../drizzle/webhook.ts';
import { column } from '../../db/connection/read-rows.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';

/** Deliveries beyond this number are not counted: it takes longer and tells the operator nothing new. */
const MAX_COUNTED = 100_000;

export type LedgerFigures = {
  /** Number of pending deliveries, including those of paused webhooks. */
  waiting: number;
  /** Seconds since the oldest pending delivery of an active webhook was due. 0 without one. */
  oldestDueS: number;
  pausedWebhooks: number;
};

/** Figures of all merchants. Pending deliveries are read with the partial index on them, up to a limit. */
export async function ledgerFigures({ across }: Pick<AcrossContext, 'across'>): Promise<LedgerFigures> {
  const [waiting] = await across.rows(
    'ledgerFigures',
    { waiting: column.number, oldestDueS: column.number },
    sql`
    select count(*)::int as "waiting",
      greatest(coalesce(extract(epoch from now() - min(waiting.due)), 0), 0)::float8 as "oldestDueS"
    from (
      select case when ${webhook.status} = 'ACTIVE' then ${webhookDelivery.nextAttemptAt} end as due
      from ${webhookDelivery} left join ${webhook} on ${webhook.merchantId} = ${webhookDelivery.merchantId}
        and ${webhook.id} = ${webhookDelivery.webhookId}
      where ${webhookDelivery.state} = 'PENDING' limit ${sql.raw(String(MAX_COUNTED))}
    ) waiting`,
  );
  const [paused] = await across.rows(
    'ledgerFigures',
    { pausedWebhooks: column.number },
    sql`select count(*)::int as "pausedWebhooks" from ${webhook} where ${webhook.status} = 'PAUSED'`,
  );
  return { ...waiting!, ...paused! };
}
