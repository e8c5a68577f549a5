import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { AcrossMerchants } from '../../../src/db/connection/across-merchants.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { removeOldDeliveries } from '../../../src/webhook/ledger/remove-old-deliveries.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { ON_NODES, rowsRead } from '../../support/rows-read.ts';
import { register } from '../ledger.ts';

const retention = { keepDeliveredDays: 30, keepFailedDays: 90 };
/** Deliveries of old events that were delivered lately, and batches of others that are removed. */
const KEPT = 10_000;
const BATCHES = 4;

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

/** Creates one delivery per day of the last `days` days. */
async function age({ db, merchantId, session }: Context, state: string, days: number, isDue = false): Promise<void> {
  await db.execute(sql`
    insert into webhook_delivery (merchant_id, id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data, state, created_at, next_attempt_at)
    select ${merchantId}, uuid_v7_at(at), ${newId()}, ${session.authorizedAppId}, 'store/customer/created', 'https://receiver.example/', ${newId()}, n, '{}', ${state},
      at, case when ${isDue} then now() end
    from (select n, now() - make_interval(days => n) + interval '1 hour' as at from generate_series(1, ${sql.raw(String(days))}) as n) as aged`);
}

async function counts({ db, merchantId }: Context): Promise<Record<string, number>> {
  const rows = await db.execute<{ state: string; count: number }>(
    sql`select state, count(*)::int as count from webhook_delivery where merchant_id = ${merchantId} group by state`,
  );
  return Object.fromEntries([...rows].map(({ state, count }) => [state, count]));
}

describe('the removal of deliveries', () => {
  it('keeps successful deliveries of all merchants for 30 days, and failed ones for 90', async () => {
    const apps = [await createContext(database.db), await createContext(database.db)];
    for (const app of apps) for (const state of ['DELIVERED', 'FAILED', 'PENDING']) await age(app, state, 1_200);
    expect(await removeOldDeliveries(database, retention)).toBe(2 * (1_170 + 1_110 + 1_110));
    for (const app of apps) expect(await counts(app)).toEqual({ DELIVERED: 30, FAILED: 90, PENDING: 90 });
    expect(await removeOldDeliveries(database, retention)).toBe(0);
    expect(await removeOldDeliveries(database, { keepDeliveredDays: 10, keepFailedDays: 20 })).toBe(2 * (20 + 70 + 70));
  });

  it('removes failed and pending ones of all merchants although one merchant has delivered ones that cannot be removed', async (test) => {
    skipOnCluster(test, 'a cluster refuses a trigger that this test would add');
    const [damaged, other] = [await createContext(database.db), await createContext(database.db)];
    await age(damaged, 'DELIVERED', 40);
    for (const state of ['FAILED', 'PENDING']) await age(other, state, 100);
    await database.owner.execute(sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`);
    await database.owner.execute(
      sql.raw(`create trigger refuse before delete on webhook_delivery for each row
        when (old.merchant_id = '${damaged.merchantId}') execute function refuse()`),
    );
    await expect(removeOldDeliveries(database, retention)).rejects.toThrow(damaged.merchantId);
    expect(await counts(other)).toEqual({ FAILED: 90, PENDING: 90 });
    await database.owner.execute(sql`drop trigger refuse on webhook_delivery`);
    expect(await removeOldDeliveries(database, retention)).toBe(10);
  });

  // docs/reliability-tests.md: 98
  it('removes no delivery that is not sent yet', async () => {
    const app = await createContext(database.db);
    await register(app, ['store/customer/created']);
    await age(app, 'PENDING', 200);
    // As events are written, which the worker was too long away to send.
    await app.db.execute(sql`
      update webhook_delivery set next_attempt_at = webhook_delivery.created_at, webhook_id = webhook.id from webhook
      where webhook_delivery.merchant_id = ${app.merchantId} and webhook.merchant_id = ${app.merchantId}`);
    await removeOldDeliveries(database, retention);
    expect(await counts(app)).toEqual({ PENDING: 200 });
    await app.db.execute(sql`update webhook set status = 'PAUSED' where merchant_id = ${app.merchantId}`);
    await removeOldDeliveries(database, retention);
    expect(await counts(app)).toEqual({ PENDING: 90 });
  });

  it('keeps old deliveries that were queued again lately', async () => {
    const app = await createContext(database.db);
    await age(app, 'PENDING', 200, true);
    await removeOldDeliveries(database, retention);
    expect(await counts(app)).toEqual({ PENDING: 200 });
  });

  it('keeps deliveries of old events that have ended lately', async () => {
    const app = await createContext(database.db);
    await age(app, 'DELIVERED', 40, true);
    await age(app, 'FAILED', 100, true);
    await removeOldDeliveries(database, retention);
    expect(await counts(app)).toEqual({ DELIVERED: 40, FAILED: 100 });
  });

  it('reads no pending delivery that is too new', async ({ skip }) => {
    skip(database.placement.needsRelay, ON_NODES);
    const app = await createContext(database.db);
    await database.db.execute(sql`
      insert into webhook_delivery (merchant_id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data)
      select ${app.merchantId}, ${newId()}, ${app.session.authorizedAppId}, 'store/customer/created', 'https://receiver.example/', ${newId()}, n, '{}'
      from generate_series(1, ${KEPT}::int) as n`);
    await age(app, 'PENDING', 100);
    await database.owner.execute(sql`analyze webhook_delivery`);
    const read = await rowsRead(database, 'webhook_delivery', async () => {
      expect(await removeOldDeliveries(database, retention)).toBe(10);
    });
    expect(read).toBeLessThan(KEPT / 10);
  });

  it('reads the kept deliveries of old events once, not with each batch', async ({ skip }) => {
    skip(database.placement.needsRelay, ON_NODES);
    const app = await createContext(database.db);
    const add = async (count: number, ageDays: number, endedDaysAgo: number) =>
      await database.db.execute(sql`
        insert into webhook_delivery (merchant_id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data, state, created_at, next_attempt_at)
        select ${app.merchantId}, ${newId()}, ${app.session.authorizedAppId}, 'store/customer/created', 'https://receiver.example/', ${newId()}, n, '{}', 'DELIVERED',
          now() - make_interval(days => ${ageDays}, secs => n / 1000.0), now() - make_interval(days => ${endedDaysAgo})
        from generate_series(1, ${sql.raw(String(count))}) as n`);
    await add(KEPT, 200, 1);
    await add(BATCHES * 1_000, 100, 100);
    await database.owner.execute(sql`analyze webhook_delivery`);
    const across = new AcrossMerchants(database.db);
    const removed = { count: 0 };
    const read = await rowsRead(database, 'webhook_delivery', async () => {
      removed.count = await removeOldDeliveries({ db: database.db, across }, retention);
    });
    expect(removed.count).toBe(BATCHES * 1_000);
    // Once to find the oldest deliveries, and once to remove those of the merchant.
    expect(read).toBeLessThan(2 * KEPT + 3 * BATCHES * 1_000);
  });
});
