import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MerchantFailures } from '../../../src/db/write/merchant-failures.ts';
import { queueOverdueDeliveries } from '../../../src/webhook/ledger/overdue-deliveries.ts';
import { ledgerSweep } from '../../../src/worker/webhooks/ledger-sweep.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import type { Context } from '../../../src/context.ts';
import { queuedIds, register } from '../ledger.ts';

const BATCH_SIZE = 1_000;

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

it('overdue deliveries are queued in batches, each behind the last row of the one before', async () => {
  const ctx = await createContext(database.db);
  const ids = await overdue(ctx, BATCH_SIZE + 1);
  const next = await queueOverdueDeliveries(database, null, new MerchantFailures());
  expect(next).toMatchObject({ merchantId: ctx.merchantId, id: ids[BATCH_SIZE - 1] });
  expect(await queueOverdueDeliveries(database, next, new MerchantFailures())).toBeNull();
});

it('queues the deliveries of other merchants although those of one merchant cannot be queued', async () => {
  const [refused, other] = [await createContext(database.db), await createContext(database.db)].toSorted((a, b) =>
    a.merchantId < b.merchantId ? -1 : 1,
  );
  await overdue(refused!, 1);
  const [id] = await overdue(other!, 1);
  await database.owner.execute(
    sql.raw(`alter table pgboss.job add constraint cannot_queue
      check (data ->> 'merchantId' <> '${refused!.merchantId}') not valid`),
  );
  const sweep = ledgerSweep();
  await expect(sweep(database)).rejects.toThrow(`Merchants whose work failed (1): ${refused!.merchantId}`);
  expect(await queuedIds(database.db)).toContain(id);
});

/** Creates deliveries that were due long ago and have no jobs. Returns their ids in order. */
async function overdue(ctx: Context, count: number): Promise<string[]> {
  await register(ctx, ['store/customer/created']);
  const rows = await database.owner.execute<{ id: string }>(sql`
    insert into webhook_delivery
      (merchant_id, id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data, next_attempt_at)
    select merchant_id, uuid_v7(), id, authorized_app_id, scope, endpoint, uuid_v7(), n, '{}', now() - interval '1 hour'
    from webhook, generate_series(1, ${count}::int) n where merchant_id = ${ctx.merchantId} order by n
    returning id`);
  const ids = rows.map(({ id }) => id).toSorted();
  await database.owner.execute(sql`
    delete from pgboss.job where name = 'webhook-delivery' and data ->> 'merchantId' = ${ctx.merchantId}`);
  return ids;
}
