import { sql } from 'drizzle-orm';
import { webhook, webhookDelivery } from '../../../drizzle/webhook.ts';
import { column } from '../../db/connection/read-rows.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';

/** Deliveries beyond this number are not read: it takes longer and tells the operator nothing new. */
const MAX_READ = sql.raw('100000');

export type LedgerFigures = {
  /** Number of pending deliveries, including those of paused webhooks. */
  waiting: number;
  /** Seconds since the oldest pending delivery of an active webhook was due, of those that are read. 0 without one. */
  oldestDueS: number;
  pausedWebhooks: number;
};

/** Figures of all merchants. Pending deliveries are read with the partial index on them, up to a limit. */
export async function ledgerFigures({ across }: Pick<AcrossContext, 'across'>): Promise<LedgerFigures> {
  const [waiting] = await across.rows(
    'ledgerFigures',
    { waiting: column.number },
    sql`
    select count(*)::int as "waiting" from (
      select ${webhookDelivery.id} from ${webhookDelivery} where ${webhookDelivery.state} = 'PENDING' limit ${MAX_READ}
    ) as waiting`,
  );
  // Apart from the count: the deliveries of paused webhooks can be more than are read.
  const [due] = await across.rows(
    'ledgerFigures',
    { oldestDueS: column.number },
    sql`
    select coalesce(extract(epoch from now() - min(due.at)), 0)::float8 as "oldestDueS"
    from (
      select ${webhookDelivery.nextAttemptAt} as at
      from ${webhook} join ${webhookDelivery} on ${webhookDelivery.merchantId} = ${webhook.merchantId}
        and ${webhookDelivery.webhookId} = ${webhook.id}
      where ${webhook.status} = 'ACTIVE' and ${webhookDelivery.state} = 'PENDING'
        and ${webhookDelivery.nextAttemptAt} <= now()
      limit ${MAX_READ}
    ) as due`,
  );
  const [paused] = await across.rows(
    'ledgerFigures',
    { pausedWebhooks: column.number },
    sql`select count(*)::int as "pausedWebhooks" from ${webhook} where ${webhook.status} = 'PAUSED'`,
  );
  return { ...waiting!, ...due!, ...paused! };
}
