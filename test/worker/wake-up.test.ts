import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/db/connection/database.ts';
import { inDryRun } from '../../src/db/connection/transaction.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { skipOnCluster } from '../support/cluster.ts';
import { register } from '../webhook/ledger.ts';

/** The time by which the clock of the server was set back after the last notification. */
const HOUR_MS = 3_600_000;
const NOTIFIED_WITHIN_MS = 3_000;
const OBSERVED_MS = 300;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Whether the worker is notified of a change, although its last notification was at the given time. */
async function isNotified(change: Change, lastAtMs: number): Promise<boolean> {
  const { channel, sequence, make } = change;
  const { promise: notified, resolve } = Promise.withResolvers<boolean>();
  const unlisten = await database.listen(channel, () => resolve(true));
  await database.owner.execute(sql`select setval(${sequence}::regclass, ${lastAtMs}::bigint)`);
  await make(database.db);
  const result = await Promise.race([notified, wait(NOTIFIED_WITHIN_MS, false)]);
  await unlisten();
  return result;
}

type Change = { channel: string; sequence: string; make: (db: Database) => Promise<unknown> };

async function newDelivery(): Promise<Change> {
  const ctx = await createContext(database.db);
  await register(ctx, ['store/customer/created']);
  return {
    channel: 'webhook_delivery',
    sequence: 'webhook_wake_up',
    make: (db) => db.execute(sql`insert into customer (merchant_id, first_name) values (${ctx.merchantId}, 'Ada')`),
  };
}

async function changedProduct(): Promise<Change> {
  const ctx = await createContext(database.db);
  return {
    channel: 'product_search',
    sequence: 'product_search_wake_up',
    make: (db) =>
      db.execute(sql`
        insert into product_search_pending (merchant_id, product_id) values (${ctx.merchantId}, uuid_v7())`),
  };
}

async function changedMembership(table = 'product'): Promise<Change> {
  const ctx = await createContext(database.db);
  const [queue, id] = [sql.raw(`membership_pending_${table}`), sql.raw(`${table}_id`)];
  return {
    channel: 'category_membership',
    sequence: 'category_membership_wake_up',
    make: (db) => db.execute(sql`insert into ${queue} (merchant_id, ${id}) values (${ctx.merchantId}, uuid_v7())`),
  };
}

const changes = [
  ['new deliveries', newDelivery],
  ['changed products', changedProduct],
  ['products of automated categories', changedMembership],
  ['automated categories', async () => await changedMembership('category')],
] as const;

// docs/reliability-tests.md: 87
it.for(changes)(
  'the worker is notified of %s after the clock of the server was set back',
  async ([, changeOf], test) => {
    skipOnCluster(test, 'the worker polls');
    expect(await isNotified(await changeOf(), Date.now() + HOUR_MS)).toBe(true);
  },
);

it.for(changes)(
  'few of the transactions with %s notify, because they would wait for each other',
  async ([, changeOf], test) => {
    skipOnCluster(test, 'the worker polls');
    const { channel, sequence, make } = await changeOf();
    let [notified, changed] = [0, 0];
    const unlisten = await database.listen(channel, () => notified++);
    await database.owner.execute(sql`select setval(${sequence}::regclass, 1)`);
    const endMs = performance.now() + OBSERVED_MS;
    for (; performance.now() < endMs; changed++) await make(database.db);
    await make(database.db);
    await unlisten();
    expect(notified).toBeGreaterThan(0);
    expect(notified).toBeLessThan(changed / 2);
  },
);

it.for(changes)('a dry run does not count as a notification of %s', async ([, changeOf], test) => {
  skipOnCluster(test, 'the worker polls');
  const { sequence, make } = await changeOf();
  await database.owner.execute(sql`select setval(${sequence}::regclass, 1)`);
  await inDryRun({ db: database.db }, async ({ db }) => await make(db));
  const [row] = await database.owner.execute(sql`select pg_sequence_last_value(${sequence}::regclass)::int as value`);
  expect(row).toEqual({ value: 1 });
});

it.for(changes)(
  'a long transaction keeps no other from notifying of %s before it commits',
  async ([, changeOf], test) => {
    skipOnCluster(test, 'the worker polls');
    const { sequence, make } = await changeOf();
    await database.owner.execute(sql`select setval(${sequence}::regclass, 1)`);
    await database.db.transaction(async (db) => {
      await db.execute(sql`select pg_sleep(0.2)`);
      await make(db);
      const [row] = await database.owner.execute(
        sql`select pg_sequence_last_value(${sequence}::regclass)::int as value`,
      );
      expect(row).toEqual({ value: 1 });
    });
  },
);
