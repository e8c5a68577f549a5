import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appScopes } from '../../src/app-scope.ts';
import type { Context } from '../../src/context.ts';
import { exportCustomer } from '../../src/customer/exportCustomer.ts';
import { newId } from '../../src/db/sql/id.ts';
import { ResponseSize } from '../../src/limits/response-size.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { createOtherApp } from '../webhook/deliveries.ts';
import { person } from './erasure/person.ts';

const MIB = 1024 * 1024;
const CREATED = ['store/customer/created'];

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;

beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});

async function answerTo(name: string, variables: object, headers = {}, as = ctx) {
  return (await server.call(as, name, variables, headers)) as { data: any; errors?: { extensions: any }[] };
}

async function call(name: string, variables: object, headers = {}, as = ctx): Promise<any> {
  const { data, errors } = await answerTo(name, variables, headers, as);
  expect(errors).toBeUndefined();
  return data[name];
}

const exported = async (id: string, as = ctx) => JSON.parse(await call('exportCustomer', { id }, {}, as));

it('has the record, its changes, and the deliveries and keys of every app that the token may read', async () => {
  const other = await createOtherApp(ctx, appScopes);
  for (const app of [ctx, other])
    await call('saveWebhook', { input: { endpoint: 'https://receiver.example/', scopes: CREATED } }, {}, app);
  const { id } = await call('saveCustomer', { input: person('exp1') }, { 'idempotency-key': 'mine', 'x-actor': 'Ada' });
  const update = { input: { id, firstName: 'Later' } };
  await call('saveCustomer', update, { 'idempotency-key': 'theirs' }, other);
  await call('saveCustomer', { input: { firstName: 'Somebody else' } }, { 'idempotency-key': 'else' });

  const all = await exported(id);
  expect(all).toMatchObject({ customer: { id, firstName: 'Later', note: person('exp1').note }, erasure: null });
  expect(all.customer.addresses[0].identityNumber).toBe('identity exp1');
  expect(all.changes.map(({ kind, changeSet }: any) => [kind, changeSet.actor])).toEqual([
    ['UPDATED', null],
    ['CREATED', 'Ada'],
  ]);
  expect(all.changes[1].members.find(({ path }: any) => path === 'email').after).toBe('"mail-exp1@example.com"');
  const apps = [ctx, other].map(({ session }) => session.authorizedAppId).sort();
  expect(all.webhookDeliveries.map(({ authorizedAppId }: any) => authorizedAppId).sort()).toEqual(apps);
  for (const { payload } of all.webhookDeliveries) expect(payload).toContain('exp1');
  expect(all.idempotencyKeys.map(({ key }: any) => key).sort()).toEqual(['mine', 'theirs']);
  expect(JSON.stringify(all)).not.toContain('Somebody else');
});

it('has the former values that deliveries name beside the record', async () => {
  await call('saveWebhook', {
    input: { endpoint: 'https://receiver.example/', scopes: ['store/customer/updated'], includeChanges: true },
  });
  const { id } = await call('saveCustomer', { input: person('exp2') });
  await call('saveCustomer', { input: { id, firstName: 'Later' } });
  const { webhookDeliveries } = await exported(id);
  expect(webhookDeliveries).toMatchObject([{ changes: { changedPaths: ['firstName'] } }]);
  expect(JSON.parse(webhookDeliveries[0].changes.previous)).toEqual({ firstName: person('exp2').firstName });
});

it('has less for a token with fewer scopes, and is refused without the scope for customers', async () => {
  const other = await createOtherApp(ctx, ['read_customers', 'write_customers']);
  await call('saveWebhook', { input: { endpoint: 'https://receiver.example/', scopes: CREATED } });
  const { id } = await call('saveCustomer', { input: { firstName: 'Ada' } }, { 'idempotency-key': 'mine' });
  await call('saveCustomer', { input: { id, firstName: 'Bob' } }, { 'idempotency-key': 'theirs' }, other);
  const seen = await exported(id, other);
  expect(seen.changes).toHaveLength(2);
  expect(seen.webhookDeliveries).toEqual([]);
  expect(seen.idempotencyKeys.map(({ key }: any) => key)).toEqual(['theirs']);
  const without = await createOtherApp(ctx, ['read_products']);
  expect((await answerTo('exportCustomer', { id }, {}, without)).errors).toMatchObject([
    { extensions: { code: 'UNAUTHORIZED', requiredScope: 'read_customers' } },
  ]);
});

it('is refused above 16 MiB, and for an unknown id and that of another merchant', async () => {
  const { id } = await call('saveCustomer', { input: { firstName: 'Ada' } });
  const fill = async (count: number) =>
    await database.owner.execute(sql`
      insert into webhook_delivery
        (merchant_id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data, state, attempts)
      select ${ctx.merchantId}, uuid_v7(), ${ctx.session.authorizedAppId}, 'store/customer/updated',
        'https://receiver.example/', ${id}, n, rpad('{"note":"', ${MIB / 2}::int, 'x') || '"}', 'FAILED', 3
      from generate_series(1, ${count}::int) n`);
  await fill(30);
  expect((await exported(id)).webhookDeliveries).toHaveLength(30);
  await fill(3);
  expect((await answerTo('exportCustomer', { id })).errors).toMatchObject([
    { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['id'] }] } },
  ]);
  const foreign = await createContext(database.db);
  for (const [as, unknown] of [
    [ctx, newId()],
    [foreign, id],
    [ctx, 'no id'],
  ] as const)
    expect((await answerTo('exportCustomer', { id: unknown }, {}, as)).errors).toMatchObject([
      { extensions: { code: 'NOT_FOUND', ids: [unknown] } },
    ]);
});

describe('answers of idempotency keys', () => {
  async function storeAnswers(id: string, count: number): Promise<void> {
    await database.owner.execute(sql`
      insert into idempotency_key
        (merchant_id, authorized_app_id, key, content_hash, answer, customer_ids, created_at, expires_at)
      select ${ctx.merchantId}, ${ctx.session.authorizedAppId}, 'key ' || n, '', repeat('x', ${MIB / 2}::int),
        array[${id}::uuid], now(), now() + interval '1 day' from generate_series(1, ${count}::int) n`);
  }
  const countExported = async (id: string, responseSize: ResponseSize): Promise<number> =>
    JSON.parse(await exportCustomer({ ...ctx, responseSize }, { id })).idempotencyKeys.length;

  it('are all exported, in pages', async () => {
    const { id } = await call('saveCustomer', { input: { firstName: 'Ada' } });
    await storeAnswers(id, 21);
    expect((await exported(id)).idempotencyKeys).toHaveLength(21);
  });

  it('are not read above 1 MiB without a slot for large responses', async () => {
    const { id } = await call('saveCustomer', { input: { firstName: 'Ada' } });
    await storeAnswers(id, 3);
    const withoutSlot = countExported(id, new ResponseSize(16 * MIB, () => false));
    await expect(withoutSlot).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await countExported(id, new ResponseSize(16 * MIB))).toBe(3);
  });
});
