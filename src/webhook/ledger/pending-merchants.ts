import { sql } from 'drizzle-orm';
import { webhookDelivery } from '../../../drizzle/webhook.ts';
import type { AcrossMerchants } from '../../db/connection/across-merchants.ts';
import { column } from '../../db/connection/read-rows.ts';
import { NO_ID } from '../../db/sql/id.ts';

/**
 * The merchants that have pending deliveries, in the order of their ids. Each statement looks up the next one in the
 * index on pending deliveries, whose order it asks for: by the primary key all other deliveries would be read too.
 */
export async function* merchantsWithPendingDeliveries(across: AcrossMerchants): AsyncGenerator<string> {
  const { merchantId, webhookId, id, state } = webhookDelivery;
  for (let after = NO_ID; ;) {
    const [next] = await across.rows(
      'merchantsWithPendingDeliveries',
      { id: column.text },
      sql`
      select ${merchantId} as "id" from ${webhookDelivery}
      where ${state} = 'PENDING' and ${merchantId} > ${after}::uuid
      order by ${merchantId}, ${webhookId}, ${id} limit 1`,
    );
    if (!next) return;
    yield next.id;
    after = next.id;
  }
}
