import { sql } from 'drizzle-orm';
import { webhookDelivery } from '../../../drizzle/webhook.ts';
import type { AcrossMerchants } from '../../db/connection/across-merchants.ts';
import { eachMerchantWithRows } from '../../db/across/merchants-with-rows.ts';

/**
 * The merchants that have pending deliveries, in the order of their ids. They are looked up in the index of pending
 * deliveries. Looked up in the primary key, all other deliveries would be read too.
 */
export function merchantsWithPendingDeliveries(across: AcrossMerchants): AsyncGenerator<string> {
  const { webhookId, id, state } = webhookDelivery;
  return eachMerchantWithRows(across, 'merchantsWithPendingDeliveries', {
    table: webhookDelivery,
    where: sql`${state} = 'PENDING'`,
    columns: [webhookId, id],
  });
}
