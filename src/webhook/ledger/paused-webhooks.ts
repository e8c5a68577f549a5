import { sql } from 'drizzle-orm';
import { webhook } from '../../../drizzle/webhook.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { column } from '../../db/connection/read-rows.ts';

export type PausedWebhooks = { readonly merchantId: string; readonly webhookIds: readonly string[] };

/** The ids of the paused webhooks of each merchant. */
export async function pausedByMerchant(across: AcrossContext['across']): Promise<PausedWebhooks[]> {
  const paused = await across.rows(
    'pausedWebhooks',
    { merchantId: column.text, id: column.text },
    sql`select ${webhook.merchantId} as "merchantId", ${webhook.id} as "id" from ${webhook}
      where ${webhook.status} = 'PAUSED'`,
  );
  const byMerchant = Map.groupBy(paused, ({ merchantId }) => merchantId);
  return [...byMerchant].map(([merchantId, own]) => ({ merchantId, webhookIds: own.map(({ id }) => id) }));
}
