import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { deleteCustomerList } from '../../src/customer/deleteCustomerList.ts';
import { saveCustomer } from '../../src/customer/saveCustomer.ts';
import { newId } from '../../src/db/sql/id.ts';
import { inTransaction } from '../../src/db/connection/transaction.ts';
import { createContext } from '../support/context.ts';
import { skipOnCluster } from '../support/cluster.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { actionsOf, eventsOf, everythingOf, queuedIds, register } from './ledger.ts';

const all = everythingOf('Customer');
const both = ['store/customer/created', 'store/customer/updated'];
const REFUSED_KEY = {
  cause: { message: expect.stringContaining('The id and the merchant of a row of customer cannot change') as string },
};

let database: TestDatabase;
let ctx: Context;

beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

const insert = (context: Context, firstName = 'Ada', id = newId()) =>
  context.db
    .execute(
      sql`insert into customer (merchant_id, id, first_name) values (${context.merchantId}, ${id}, ${firstName})`,
    )
    .then(() => id);
const rename = (context: Context, id: string, firstName: string) =>
  context.db.execute(
    sql`update customer set first_name = ${firstName}, updated_at = now() where merchant_id = ${context.merchantId} and id = ${id}`,
  );

it('has the data of a GraphQL answer, as it was at the change', async () => {
  await register(ctx, both);
  const input = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    isEmailVerified: true,
    birthDate: -4_865_875_200_000,
    tagIds: ['vip', '"'],
    addresses: [
      {
        title: 'Home',
        firstName: 'Ada',
        lastName: 'L',
        addressLine1: '12\n"St"',
        city: { name: 'London' },
        country: { name: 'UK' },
        region: { name: 'EU' },
      },
    ],
    attributes: [{ value: 'x' }],
    priceListRules: [{ value: 10.5, valueType: 'FIXED_PRICE' as const }],
    gender: 'FEMALE' as const,
  };
  const created = await saveCustomer(ctx, { input }, all);
  const updated = await saveCustomer(ctx, { input: { id: created.id, firstName: 'Augusta' } }, all);
  const events = await eventsOf(ctx);
  expect(events).toMatchObject([
    { scope: 'store/customer/created', sequence: 1, recordId: created.id, state: 'PENDING', attempts: 0 },
    { scope: 'store/customer/updated', sequence: 2, recordId: created.id },
  ]);
  expect(events[0]!.data).toEqual(JSON.parse(JSON.stringify(created)));
  expect(events[1]!.data).toEqual(JSON.parse(JSON.stringify(updated)));
  expect(Object.keys(events[0]!.data).sort()).toEqual(Object.keys(all).sort());
});

it('sends events of plain SQL too, also for many rows of one statement', async () => {
  await register(ctx, both);
  await database.db.execute(sql`
    insert into customer (merchant_id, first_name) select ${ctx.merchantId}, 'bulk ' || n from generate_series(1, 300) n`);
  await database.db.execute(sql`update customer set note = 'hello' where merchant_id = ${ctx.merchantId}`);
  const events = await eventsOf(ctx);
  expect(events).toHaveLength(600);
  expect(events.filter(({ scope, sequence }) => scope === 'store/customer/created' && sequence === 1)).toHaveLength(
    300,
  );
  expect(
    events.filter(
      ({ scope, sequence, data }) => scope === 'store/customer/updated' && sequence === 2 && data.note === 'hello',
    ),
  ).toHaveLength(300);
  const queued = await queuedIds(database.db);
  expect(events.every(({ id }) => queued.has(id))).toBe(true);
});

it('sends nothing for an update that changes only updatedAt', async () => {
  await register(ctx, both);
  const { id } = await saveCustomer(
    ctx,
    { input: { firstName: 'Same', tagIds: ['a'], attributes: [{ value: 'x' }] } },
    all,
  );
  await saveCustomer(ctx, { input: { id, firstName: 'Same' } }, all);
  await saveCustomer(ctx, { input: { id, firstName: 'Same', tagIds: ['a'], attributes: [{ value: 'x' }] } }, all);
  await rename(ctx, id, 'Same');
  expect(await actionsOf(ctx)).toEqual(['created 1']);
  await deleteCustomerList(ctx, { idList: [id] });
  await deleteCustomerList(ctx, { idList: [id] });
  expect(await actionsOf(ctx)).toEqual(['created 1', 'updated 2']);
});

it('sends one event for several changes of one record in one transaction, with the last state', async () => {
  await register(ctx, both);
  const id = await inTransaction(ctx, async (ctx) => {
    const id = await insert(ctx, 'first');
    await rename(ctx, id, 'second');
    await rename(ctx, id, 'third');
    return id;
  });
  await inTransaction(ctx, async (ctx) => {
    await rename(ctx, id, 'fourth');
    await rename(ctx, id, 'fifth');
  });
  expect((await eventsOf(ctx)).map(({ scope, sequence, data }) => [scope, sequence, data.firstName])).toEqual([
    ['store/customer/created', 1, 'third'],
    ['store/customer/updated', 2, 'fifth'],
  ]);
});

it('sends a change whose transaction id is that of the previous change, as after a restore on another server', async (test) => {
  skipOnCluster(test, 'a transaction id cannot be set through the coordinator: test/citus/moves.test.ts moves a shard');
  await register(ctx, both);
  const id = await insert(ctx, 'before');
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.execute(
      sql`update webhook_record set transaction_id = pg_current_xact_id() where merchant_id = ${ctx.merchantId}`,
    );
    await rename(ctx, id, 'after');
  });
  expect(await actionsOf(ctx)).toEqual(['created 1', 'updated 2']);
});

it('sends nothing of a transaction or savepoint that was rolled back', async () => {
  await register(ctx, both);
  const id = await insert(ctx);
  await inTransaction(ctx, async (ctx) => {
    await rename(ctx, id, 'gone');
    throw new Error('no');
  }).catch(() => undefined);
  await inTransaction(ctx, async (ctx) => {
    await rename(ctx, id, 'kept');
    await inTransaction(ctx, async (ctx) => {
      await rename(ctx, id, 'gone too');
      await insert(ctx, 'never');
      throw new Error('no');
    }).catch(() => undefined);
  });
  expect((await eventsOf(ctx)).map(({ scope, sequence, data }) => [scope, sequence, data.firstName])).toEqual([
    ['store/customer/created', 1, 'Ada'],
    ['store/customer/updated', 2, 'kept'],
  ]);
});

it('sends only "created" for a customer that was created and updated in one transaction', async () => {
  await register(ctx, ['store/customer/updated']);
  const id = await inTransaction(ctx, async (ctx) => {
    const id = await insert(ctx);
    await rename(ctx, id, 'Grace');
    return id;
  });
  expect(await actionsOf(ctx)).toEqual([]);
  await rename(ctx, id, 'Later');
  expect(await actionsOf(ctx)).toEqual(['updated 1']);
});

// docs/reliability-tests.md: 85
it('numbers the events of a record for each app, without gaps, also for concurrent changes', async () => {
  await register(ctx, both);
  const other = { ...ctx, session: { ...ctx.session, authorizedAppId: newId() } };
  await database.db.execute(sql`
    insert into authorized_app (merchant_id, id, name, partner_id, store_app_id, scopes, client_id, client_secret_encrypted, added_date)
    values (${ctx.merchantId}, ${other.session.authorizedAppId}, 'Other', 'p', 's', '{}', ${newId()}, 'none', now())`);
  await register(other, ['store/customer/updated']);
  const id = await insert(ctx);
  await Promise.all(Array.from({ length: 40 }, (_, index) => rename(ctx, id, `name ${index}`)));
  const events = await eventsOf(ctx);
  const sequences = (appId: string) =>
    events
      .filter((event) => event.appId === appId)
      .map(({ sequence }) => sequence)
      .sort((a, b) => a - b);
  expect(sequences(ctx.session.authorizedAppId)).toEqual(Array.from({ length: 41 }, (_, index) => index + 1));
  expect(sequences(other.session.authorizedAppId)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  const last = events
    .filter(({ appId }) => appId === ctx.session.authorizedAppId)
    .sort((a, b) => b.sequence - a.sequence)[0]!;
  const [row] = await database.db.execute<{ name: string }>(
    sql`select first_name as name from customer where merchant_id = ${ctx.merchantId} and id = ${id}`,
  );
  expect(last.data.firstName).toBe(row!.name);
});

// docs/reliability-tests.md: 13
it("never sends one merchant's customers to another, also after a statement that changes both", async () => {
  const stranger = await createContext(database.db);
  await register(ctx, both);
  await database.db.execute(sql`
    insert into customer (merchant_id, first_name) values (${stranger.merchantId}, 'theirs'), (${ctx.merchantId}, 'ours'), (${stranger.merchantId}, 'theirs too')`);
  expect(await eventsOf(stranger)).toEqual([]);
  expect((await eventsOf(ctx)).map(({ data }) => data.firstName)).toEqual(['ours']);
});

it('sends an event for each row of an upsert, created or updated', async () => {
  await register(ctx, both);
  const id = await insert(ctx);
  await database.db.execute(sql`
    insert into customer (merchant_id, id, first_name) values (${ctx.merchantId}, ${id}, 'changed'), (${ctx.merchantId}, uuid_v7(), 'new')
    on conflict (merchant_id, id) do update set first_name = excluded.first_name`);
  expect((await actionsOf(ctx)).sort()).toEqual(['created 1', 'created 1', 'updated 2']);
});

it('keeps events of a paused webhook in the ledger and out of the queue', async () => {
  await register(ctx, both, { status: 'PAUSED' });
  await insert(ctx);
  const [event] = await eventsOf(ctx);
  expect(event).toMatchObject({ state: 'PENDING', waits: true });
  expect((await queuedIds(database.db)).has(event!.id)).toBe(false);
});

it('makes an event of a paused webhook due that becomes one of an active webhook in the same transaction', async (test) => {
  skipOnCluster(test, 'a cluster sends rows of shards to a function that is called by itself');
  await register(ctx, ['store/customer/updated'], { status: 'PAUSED' });
  await register(ctx, ['store/customer/erased']);
  const id = await insert(ctx);
  const write = (action: string) => sql`
    select write_webhook_events(${ctx.merchantId}, array(select w from webhook w where merchant_id = ${ctx.merchantId}),
      ${action}, array[${id}]::uuid[], array['{}'], array[null]::text[])`;
  await database.owner.transaction(async (transaction) => {
    await transaction.execute(write('updated'));
    await transaction.execute(write('erased'));
  });
  const [event] = await eventsOf(ctx);
  expect(event).toMatchObject({ scope: 'store/customer/erased', waits: false });
});

// docs/reliability-tests.md: 90
it('lets the change fail if the queue is missing', async (test) => {
  skipOnCluster(test, 'no trigger writes to the queue there');
  await register(ctx, both);
  const own = await createDatabase();
  try {
    const there = await createContext(own.db);
    await register(there, both);
    await own.owner.execute(sql`select pgboss.delete_queue('webhook-delivery')`);
    await expect(insert(there)).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/queue webhook-delivery|does not exist/) },
    });
    expect(await eventsOf(there)).toEqual([]);
  } finally {
    await own.drop();
  }
});

it('refuses to truncate a table, because that would send no events', async () => {
  for (const table of ['customer', 'product', 'product_stock_location', 'stock_hold']) {
    await expect(database.owner.execute(sql.raw(`truncate ${table} cascade`))).rejects.toMatchObject({
      cause: { message: expect.stringContaining('cannot be truncated') },
    });
  }
});

it('the tables of recorded changes refuse another id of a row, which triggers could not compare', async () => {
  const id = await insert(ctx);
  const set = (other: string) =>
    ctx.db.execute(sql`update customer set id = ${other} where merchant_id = ${ctx.merchantId} and id = ${id}`);
  await set(id);
  await expect(set(newId())).rejects.toMatchObject(REFUSED_KEY);
});

it('the tables of recorded changes refuse another merchant of a row', async (context) => {
  skipOnCluster(context, 'Citus refuses it itself, with another message');
  const stranger = await createContext(database.db);
  const id = await insert(ctx);
  const set = (other: string) =>
    ctx.db.execute(
      sql`update customer set merchant_id = ${other} where merchant_id = ${ctx.merchantId} and id = ${id}`,
    );
  await set(ctx.merchantId);
  await expect(set(stranger.merchantId)).rejects.toMatchObject(REFUSED_KEY);
});
