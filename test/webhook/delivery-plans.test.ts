import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { explainWebhook } from '../../src/webhook/explainWebhook.ts';
import { listWebhook } from '../../src/webhook/listWebhook.ts';
import { listWebhookDelivery } from '../../src/webhook/listWebhookDelivery.ts';
import { limitWaitingBytes } from '../../src/webhook/ledger/limit-waiting-bytes.ts';
import { removeOldDeliveries } from '../../src/webhook/ledger/remove-old-deliveries.ts';
import { queueOverdueDeliveries } from '../../src/webhook/ledger/overdue-deliveries.ts';
import { queueWaiting } from '../../src/webhook/ledger/queue-deliveries.ts';
import { redeliverWebhookDeliveryRange } from '../../src/webhook/redeliverWebhookDeliveryRange.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { explaining, explainingTask } from '../support/plan.ts';
import { createOtherApp, save } from './deliveries.ts';

/** All of one app. Half of them are of one record, the others of one record each. */
const DELIVERIES = 120_000;
const PENDING = 20_000;
/** Of another app, and older than all others. */
const FAILED = 100;
const created = 'store/stock/created';
const updated = 'store/stock/updated';

let database: TestDatabase;
let own: Context;
/** An app that sees only its own deliveries, which are few. */
let quiet: Context;
const [busyRecord, quietRecord] = [newId(), newId()];

beforeAll(async () => {
  database = await createDatabase();
  own = await createContext(database.db);
  quiet = await createOtherApp(own);
  await database.db.execute(sql`
    insert into webhook_delivery (merchant_id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data, state)
    select ${own.merchantId}, uuid_v7(), ${quiet.session.authorizedAppId}, ${updated}, 'https://receiver.example/', uuid_v7(), 1, '{}', 'FAILED'
    from generate_series(1, ${FAILED}::int)`);
  await save(own, [created, updated]);
  const add = async (record: string, count: number, state = 'DELIVERED') =>
    await database.db.execute(sql`
      insert into webhook_delivery (merchant_id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data, state)
      select ${own.merchantId}, id, ${own.session.authorizedAppId}, scope, endpoint, ${sql.raw(record)}, n, '{}', ${state}
      from webhook, generate_series(1, ${count}::int) as n where merchant_id = ${own.merchantId} and scope = ${updated}`);
  await add(`'${busyRecord}'::uuid`, DELIVERIES / 2);
  await add('uuid_v7()', DELIVERIES / 2);
  await add(`'${quietRecord}'::uuid`, 1, 'FAILED');
  await add('uuid_v7()', PENDING, 'PENDING');
  await database.db.execute(sql`
    insert into webhook_attempt_count (merchant_id, webhook_id, hour, delivered, duration_class, count, max_duration_ms, last_at)
    select ${own.merchantId}, id, date_trunc('hour', now()) - hour * interval '1 hour', delivered, class, 1000, class * 10, now()
    from webhook, generate_series(0, 47) as hour, generate_series(1, 40) as class, unnest('{t,f}'::boolean[]) as delivered
    where merchant_id = ${own.merchantId}`);
  await database.db.execute(sql`
    insert into webhook_attempt_count (merchant_id, webhook_id, hour, delivered, duration_class, count, max_duration_ms, last_at)
    select ${own.merchantId}, id, date_trunc('hour', now()) - hour * interval '1 hour', true, class, 1000, class * 10, now()
    from (select uuid_v7() as id from generate_series(1, 100)) as other, generate_series(0, 47) as hour, generate_series(1, 10) as class`);
  await database.owner.execute(sql`analyze webhook_delivery, webhook_attempt_count, webhook`);
}, 120_000);
afterAll(() => database.drop());

async function planOf(run: (ctx: Context) => Promise<unknown>, as = own): Promise<string> {
  const plans: string[] = [];
  await run({ ...as, db: explaining(database.db, plans) });
  expect(plans).toHaveLength(1);
  return plans[0]!;
}

/** Finds plans that compare each row with each value of a list. */
const comparesEach = /= ANY \(/;

/** Finds plans that read the table of deliveries without an index. */
const wholeLedger = /Seq Scan on webhook_delivery/;

describe('with a hundred thousand deliveries', () => {
  const thousand = Array.from({ length: 1_000 }, newId);
  const moments = thousand.map((_, index) => Date.now() + index);

  it.each<[string, object]>([
    ['no id', { id: { nin: thousand } }],
    ['no record', { recordId: { nin: thousand } }],
    ['no app', { authorizedAppId: { nin: thousand } }],
    ['no endpoint', { endpoint: { nin: thousand } }],
    ['no moment', { createdAt: { nin: moments } }],
    ['an app', { authorizedAppId: { in: thousand } }],
    ['an endpoint', { endpoint: { in: thousand } }],
    ['a scope', { scope: { in: thousand } }],
  ])('those with %s of a thousand are looked up by hash', async (_, args) => {
    const plan = await planOf((ctx) => listWebhookDelivery(ctx, args as never, { count: {}, data: { id: {} } }));
    expect(plan).toContain('hashed SubPlan');
    expect(plan).not.toMatch(comparesEach);
  });

  it.each<[string, string, () => Context, object]>([
    ['the deliveries of an app', 'webhook_delivery_app', () => quiet, {}],
    ['those of a named app', 'webhook_delivery_app', () => own, { authorizedAppId: { eq: newId() } }],
    ['the failed ones of an app', 'webhook_delivery_(undelivered|failed)', () => quiet, { status: 'FAILED' }],
    ['the pending ones of an app', 'webhook_delivery_undelivered', () => quiet, { status: 'PENDING' }],
    ['the failed ones of all apps', 'webhook_delivery_failed', () => own, { status: 'FAILED' }],
  ])('%s come from %s, latest first', async (_, index, as, args) => {
    const plan = await planOf(
      async (ctx) => await listWebhookDelivery(ctx, args as never, { data: { id: {} }, hasNext: {} }),
      as(),
    );
    expect(plan).toMatch(new RegExp(`Limit[^\\n]*\\s+->\\s+Index (Only )?Scan Backward using ${index} `));
    expect(plan).not.toContain('Sort');
  });

  it('those since a time are read until the first id of that time', async () => {
    const plan = await planOf((ctx) =>
      listWebhookDelivery(ctx, { createdAt: { gte: Date.now() - 1 } } as never, { data: { id: {} } }),
    );
    expect(plan).toMatch(/Index Cond: [^\n]*\(id >= /);
  });

  it('the undelivered ones of a range begin with the first id of its time', async () => {
    const plans: string[] = [];
    const db = explaining(database.db, plans);
    const range = { scope: updated, from: Date.now(), to: Date.now() + 600_000 };
    await redeliverWebhookDeliveryRange({ ...own, db }, range);
    expect(plans[0]).toMatch(/Index Scan using webhook_delivery_undelivered [^]*Index Cond: [^\n]*\(id >= /);
    expect(plans[0]).not.toContain('Sort');
  });

  it('those of a thousand records come from the index on records', async () => {
    const plan = await planOf((ctx) =>
      listWebhookDelivery(ctx, { recordId: { in: thousand } } as never, { count: {}, data: { id: {} } }),
    );
    expect(plan).toContain('webhook_delivery_record');
    expect(plan).not.toMatch(wholeLedger);
  });

  it.each([
    ['a record with few', quietRecord],
    ['a record with half of them', busyRecord],
  ])('the deliveries of %s come from the index on records', async (_, recordId) => {
    const plan = await planOf((ctx) =>
      listWebhookDelivery(ctx, { recordId: { eq: recordId } } as never, { data: { id: {} } }),
    );
    expect(plan).toContain('webhook_delivery_record');
    expect(plan).not.toMatch(wholeLedger);
    expect(plan).not.toContain('Sort');
  });

  it.each([
    ['a record with few', quietRecord, updated],
    ['a record with half of them', busyRecord, updated],
    ['a record without one of the kind', busyRecord, created],
    ['a record without any', newId(), updated],
  ])('the explanation of %s comes from the index on records', async (_, recordId, scope) => {
    const plan = await planOf(async (ctx) => await explainWebhook(ctx, { scope, recordId }).catch(() => undefined));
    expect(plan).toContain('webhook_delivery_record');
    expect(plan).not.toMatch(wholeLedger);
    expect(plan).not.toContain('Sort');
    expect(plan).toContain('change_webhook_deleted');
    // The plan is the same for any number of deliveries of the record.
    expect(plan).toMatch(/CTE recent\s+->\s+Limit [^]*webhook_delivery_record[^]*CTE Scan on recent/);
  });

  it('those that waited for a resumed webhook come from the index on pending deliveries', async () => {
    const plans: string[] = [];
    const webhooks = await database.db.execute<{ id: string }>(
      sql`select id from webhook where merchant_id = ${own.merchantId}`,
    );
    const ids = webhooks.map(({ id }) => id);
    await queueWaiting({ ...own, db: explaining(database.db, plans) }, ids);
    expect(plans[0]).toMatch(/Limit\s[^\n]*\s+->\s+Index Scan using webhook_delivery_pending/);
    expect(plans[0]).not.toContain('webhook_delivery_merchant_id_id_pk');
    expect(plans[0]).not.toMatch(wholeLedger);
  });

  it('the sweep looks up webhooks and reads overdue deliveries in the index on pending deliveries', async () => {
    const plan = await planOf((ctx) => queueOverdueDeliveries(ctx, []));
    expect(plan.match(/Index (Only )?Scan using webhook_delivery_pending/g)).toHaveLength(4);
    expect(plan).not.toContain('webhook_delivery_merchant_id_id_pk');
    expect(plan).not.toMatch(wholeLedger);
  });

  it('the bytes that wait for a paused webhook come in parts from the index on pending deliveries', async () => {
    await database.db.execute(sql`update webhook set status = 'PAUSED' where merchant_id = ${own.merchantId}`);
    const plans: string[] = [];
    await explainingTask(database.db, plans, () => limitWaitingBytes(database, { maxWaitingBytes: 1e9 }));
    expect(plans.length).toBeGreaterThan(PENDING / 1_000);
    for (const plan of plans)
      expect(plan).toMatch(/Limit\s[^\n]*\s+->\s+Index Scan Backward using webhook_delivery_pending/);
    await database.db.execute(sql`update webhook set status = 'ACTIVE' where merchant_id = ${own.merchantId}`);
  });

  it('old pending deliveries are removed merchant by merchant', async () => {
    const plans: string[] = [];
    const retention = { keepDeliveredDays: 30, keepFailedDays: 90 };
    await explainingTask(database.db, plans, () => removeOldDeliveries(database, retention));
    expect(plans).toHaveLength(1);
    expect(plans[0]).toMatch(/webhook_delivery_pending[^\n]*\n\s+Index Cond: [^\n]*\bid < /);
    expect(plans[0]).not.toMatch(wholeLedger);
  });

  it('the health comes from the counts and the index on pending deliveries', async () => {
    const plan = await planOf((ctx) =>
      listWebhook(ctx, {} as never, { id: {}, health: { successRate: {}, oldestPendingAt: {} } }),
    );
    expect(plan).toContain('webhook_attempt_count_pk');
    expect(plan).toContain('webhook_delivery_pending');
    expect(plan).not.toMatch(wholeLedger);
    expect(plan).not.toMatch(/Seq Scan on webhook_attempt_count/);
  });
});
