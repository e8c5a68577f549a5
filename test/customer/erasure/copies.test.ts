import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { webhookScopes } from '../../../drizzle/webhook.ts';
import { eraseCustomerList } from '../../../src/customer/eraseCustomerList.ts';
import { saveCustomer } from '../../../src/customer/saveCustomer.ts';
import { inTransaction } from '../../../src/db/connection/transaction.ts';
import { claimDeliveries } from '../../../src/webhook/ledger/claim-deliveries.ts';
import { settleDeliveries } from '../../../src/webhook/ledger/settle-deliveries.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { createOtherApp } from '../../webhook/deliveries.ts';
import { person } from './person.ts';
import { tablesWith } from './tables-with.ts';

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

type Answer = { data: any; errors?: { message: string; extensions: Record<string, any> }[] };
type Delivery = { scope: string; sequence: number; state: string; data: any; changes: unknown; truncated: unknown };

async function answerTo(name: string, variables: object, headers = {}, as = ctx): Promise<Answer> {
  return (await server.call(as, name, variables, headers)) as Answer;
}

async function call(name: string, variables: object, headers = {}, as = ctx): Promise<any> {
  const { data, errors } = await answerTo(name, variables, headers, as);
  expect(errors).toBeUndefined();
  return data[name];
}

const save = async (input: object, headers = {}) => await call('saveCustomer', { input }, headers);
const erase = async (...idList: string[]) => await call('eraseCustomerList', { idList });
const countOf = (receipt: any, place: string): number => receipt.items.find((item: any) => item.place === place).count;
const register = async (scopes: readonly string[], members = {}, as = ctx) =>
  await call('saveWebhook', { input: { endpoint: 'https://receiver.example/', scopes, ...members } }, {}, as);

async function deliveries({ session }: Context = ctx): Promise<Delivery[]> {
  const rows = await database.owner.execute<any>(sql`
    select scope, sequence, state, data::json as data, changes, truncated from webhook_delivery
    where merchant_id = ${ctx.merchantId} and authorized_app_id = ${session.authorizedAppId} order by sequence`);
  return [...rows];
}

it('copies of a customer whose row plain SQL removed are erased through a new row with its id, as docs/running.md says', async () => {
  await register(webhookScopes, { includeChanges: true });
  const { id } = await save(person('qzw0'), { 'idempotency-key': 'key', 'x-actor': 'mail-qzw0@example.com' });
  await database.db.execute(sql`delete from customer where merchant_id = ${ctx.merchantId} and id = ${id}`);
  expect((await answerTo('eraseCustomerList', { idList: [id] })).errors).toMatchObject([
    { extensions: { code: 'NOT_FOUND' } },
  ]);
  await database.db.execute(sql`
    insert into customer (merchant_id, id, first_name, deleted) values (${ctx.merchantId}, ${id}, '', true)`);
  await erase(id);
  expect(await tablesWith(database.owner, ['qzw0'])).toEqual([]);
});

describe('deliveries of an erased customer', () => {
  it('keep scope, sequence and state, and lose payloads, changes and answers of receivers', async () => {
    await register(webhookScopes, { includeChanges: true });
    const { id } = await save(person('qzw1'));
    await save({ id, firstName: 'second qzw1' });
    await save({ id, firstName: 'third qzw1' });
    const before = await deliveries();
    const [first, second] = await idsOf(id);
    await send([first!], { delivered: true, body: 'thanks, first qzw1' });
    await send([second!], { delivered: false, body: 'who is qzw1?' });
    expect(await tablesWith(database.owner, ['qzw1'])).toContain('public.webhook_delivery');
    const receipt = await erase(id);
    expect(countOf(receipt, 'WEBHOOK_DELIVERY')).toBe(3);
    const after = await deliveries();
    expect(after.map(({ scope, sequence, state }) => [scope, sequence, state])).toEqual([
      ['store/customer/created', 1, 'DELIVERED'],
      ['store/customer/updated', 2, 'PENDING'],
      ['store/customer/updated', 3, 'PENDING'],
      ['store/customer/erased', 4, 'PENDING'],
    ]);
    for (const [index] of before.entries())
      expect(after[index]).toMatchObject({ data: { id }, changes: null, truncated: ['*'] });
    const { createdAt, updatedAt } = (await call('listCustomer', { id: { eq: id }, includeDeleted: true })).data[0];
    expect(after[3]).toMatchObject({ data: { id, createdAt, updatedAt, deleted: true }, truncated: null });
    expect(after[3]!.changes).toEqual({ changedPaths: [], previous: '{}' });
    expect(await tablesWith(database.owner, ['qzw1'])).toEqual([]);
    expect(await logOf(first!)).toMatchObject([{ statusCode: 200 }]);
  });

  it('of its erasure have no changes, also if the transaction changed the customer before', async () => {
    await register(webhookScopes, { includeChanges: true });
    const { id } = await save({ firstName: 'first' });
    await inTransaction(ctx, async (ctx) => {
      await saveCustomer(
        ctx,
        { input: { id, firstName: 'first', email: 'new@example.com', deleted: true } },
        { id: {} },
      );
      await eraseCustomerList(ctx, { idList: [id] }, { id: {} });
    });
    const { scope, changes } = (await deliveries()).at(-1)!;
    expect([scope, changes]).toEqual(['store/customer/erased', { changedPaths: [], previous: '{}' }]);
  });

  it('lose the answer to a push that was under way at the erasure, and to later ones', async () => {
    await register(['store/customer/created', 'store/customer/erased']);
    const { id } = await save(person('qzw2'));
    const [delivery] = await idsOf(id);
    const [claimed] = await claimDeliveries(ctx, [delivery!]);
    await erase(id);
    await settle(claimed!, { delivered: false, body: 'no: qzw2' });
    await makeDue(delivery!);
    const [again] = await claimDeliveries(ctx, [delivery!]);
    expect(again).toMatchObject({ attempt: 2, sequence: 1, scope: 'store/customer/created', data: `{"id":"${id}"}` });
    await settle(again!, { delivered: true, body: 'thanks qzw2' });
    const erased = (await idsOf(id))[1]!;
    await send([erased], { delivered: true, body: 'forgot qzw2' });
    expect(await logOf(delivery!)).toMatchObject([{ statusCode: 500 }, { statusCode: 200 }]);
    expect(await tablesWith(database.owner, ['qzw2'])).toEqual([]);
  });

  it('tell an app without a webhook for erasures of an update, and each app of one event', async () => {
    const other = await createOtherApp(ctx);
    const deaf = await createOtherApp(ctx);
    await register(webhookScopes);
    await register(['store/customer/updated'], {}, other);
    await register(['store/customer/created'], {}, deaf);
    const { id } = await save(person('qzw3'));
    await erase(id);
    const [scopes, others, deafs] = [await deliveries(), await deliveries(other), await deliveries(deaf)];
    expect(scopes.map(({ scope }) => scope)).toEqual(['store/customer/created', 'store/customer/erased']);
    expect(others).toMatchObject([{ scope: 'store/customer/updated', sequence: 1, data: scopes[1]!.data }]);
    expect(Object.keys(others[0]!.data)).toEqual(['id', 'createdAt', 'updatedAt', 'deleted']);
    expect(deafs).toMatchObject([{ scope: 'store/customer/created', data: { id } }]);
  });

  it.each(['created', 'updated'])(
    'are one event without values if the customer is %s in the same request',
    async (action) => {
      await register(webhookScopes, { includeChanges: true });
      const { id } = await save(person('qzw4'));
      await inTransaction(ctx, async (ctx) => {
        const input = { ...(action === 'updated' && { id }), ...person('qzw5') } as never;
        const saved = await saveCustomer(ctx, { input }, { id: {} });
        await eraseCustomerList(ctx, { idList: [...new Set([id, saved.id])] }, { id: {} });
      });
      expect(await tablesWith(database.owner, ['qzw4', 'qzw5'])).toEqual([]);
      for (const { scope } of (await deliveries()).filter(({ data }) => data.deleted))
        expect(scope).toBe('store/customer/erased');
    },
  );
});

describe('the history of an erased customer', () => {
  it('lists what was changed, without values, and the erasure as a change without members', async () => {
    const { id, createdAt } = await save(person('qzw6'));
    await save({ id, firstName: 'Ada qzw6', note: null }, { 'x-actor': 'MAIL-qzw6@example.com (customer)' });
    await save({ id, firstName: 'Ada qzw6', email: 'new-qzw6@example.com' }, { 'x-actor': 'Staff' });
    const receipt = await erase(id);
    expect([countOf(receipt, 'CHANGE'), countOf(receipt, 'CHANGE_SET')]).toEqual([3, 1]);
    const { data: changes } = await call('listChange', { recordId: { eq: id } });
    expect(changes.map(({ kind, number, truncated }: any) => [kind, number, truncated])).toEqual([
      ['DELETED', 4, true],
      ['UPDATED', 3, false],
      ['UPDATED', 2, false],
      ['CREATED', 1, false],
    ]);
    const erased = '"erased"';
    expect(changes[0].members).toEqual([]);
    expect(changes[1].members).toEqual([{ path: 'email', before: erased, after: erased }]);
    expect(changes[2].members).toEqual([
      { path: 'firstName', before: erased, after: erased },
      { path: 'note', before: erased, after: null },
    ]);
    expect(changes.map(({ changeSet }: any) => changeSet.actor)).toEqual([null, 'Staff', 'erased', null]);
    expect(changes[3].members.length).toBeGreaterThan(30);
    for (const { path, before, after } of changes[3].members)
      expect([before, after]).toEqual([
        null,
        path === 'createdAt' ? String(createdAt) : path === 'deleted' ? 'false' : erased,
      ]);
    expect(await tablesWith(database.owner, ['qzw6'])).toEqual([]);
  });

  it('cannot be taken back, and earlier states are the erased one', async () => {
    const { id, createdAt } = await save(person('qzw7'));
    await save({ id, firstName: 'Ada qzw7' });
    const asOf = Date.now();
    const brand = await call('saveProductBrand', { input: { name: 'Brand' } });
    await erase(id);
    const { data: changes } = await call('listChange', { recordId: { eq: id } });
    for (const change of changes)
      expect((await answerTo('revertChanges', { input: { changeIds: [change.id] } })).errors).toMatchObject([
        { extensions: { code: change.truncated ? 'ARGUMENT_VALIDATION_ERROR' : 'NOT_FOUND' } },
      ]);
    const { data: ofBrand } = await call('listChange', { recordId: { eq: brand.id } });
    const all = [...ofBrand, changes[1]].map((change: any) => change.id);
    const { errors } = await answerTo('revertChanges', { input: { changeIds: all } });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', type: 'Customer', ids: [id] } }]);
    const earlier = async (at: number) =>
      (await call('listCustomer', { id: { eq: id }, asOf: at, includeDeleted: true })).data;
    expect(await earlier(asOf)).toMatchObject([{ id, firstName: '', email: null, deleted: true }]);
    expect(await earlier(createdAt - 1)).toEqual([]);
    expect(await tablesWith(database.owner, ['qzw7'])).toEqual([]);
  });
});

describe('the history of an erased customer whose row was removed by SQL', () => {
  it('brings nothing back, whichever change is reverted', async () => {
    const { id } = await save(person('qzwa'));
    await save({ id, firstName: 'Ada qzwa' });
    await erase(id);
    await database.owner.execute(sql`delete from customer where id = ${id}`);
    const { data: changes } = await call('listChange', { recordId: { eq: id } });
    expect(changes[0]).toMatchObject({ kind: 'DELETED' });
    for (const change of changes) {
      const { errors } = await answerTo('revertChanges', { input: { changeIds: [change.id] } });
      expect(['ARGUMENT_VALIDATION_ERROR', 'NOT_FOUND']).toContain((errors![0] as any).extensions.code);
    }
    expect(await call('exportCustomer', { id }).catch(() => null)).toBeNull();
    expect(await tablesWith(database.owner, ['qzwa'])).toEqual([]);
  });
});

describe('the stored answers of idempotency keys', () => {
  const key = (name: string) => ({ 'idempotency-key': name });

  it('are removed if they had values of the customer, and a repeat is a conflict', async () => {
    const { id } = await save(person('qzw8'), key('create'));
    await save({ id, firstName: 'Ada qzw8' }, key('update'));
    const other = await save({ firstName: 'Other' }, key('other'));
    expect(countOf(await erase(id), 'IDEMPOTENCY_KEY')).toBe(2);
    expect(await tablesWith(database.owner, ['qzw8'])).toEqual([]);
    for (const [name, input] of [
      ['create', person('qzw8')],
      ['update', { id, firstName: 'Ada qzw8' }],
    ] as const)
      expect((await answerTo('saveCustomer', { input }, key(name))).errors).toMatchObject([
        { extensions: { code: 'CONFLICT', reason: 'ERASED' } },
      ]);
    expect((await call('listCustomer', {})).count).toBe(1);
    expect(await save({ firstName: 'Other' }, key('other'))).toEqual(other);
  });

  it('are removed if they show what a revert has changed or found, also of failed requests', async () => {
    const { id } = await save({ firstName: 'Ada qzw9', email: 'a-qzw9@example.com' });
    await save({ id, firstName: 'Ada', note: 'note qzw9' });
    await save({ id, firstName: 'Ada', note: 'later qzw9' });
    const { data: changes } = await call('listChange', { recordId: { eq: id } });
    const conflicting = { input: { changeIds: [changes[1].id] } };
    const { errors } = await answerTo('revertChanges', conflicting, key('conflict'));
    expect(JSON.stringify(errors)).toContain('later qzw9');
    const last = { input: { changeIds: [changes[0].id] } };
    await call('revertChanges', last, key('revert'));
    expect(countOf(await erase(id), 'IDEMPOTENCY_KEY')).toBe(2);
    expect(await tablesWith(database.owner, ['qzw9'])).toEqual([]);
    for (const [name, variables] of [
      ['conflict', conflicting],
      ['revert', last],
    ] as const)
      expect((await answerTo('revertChanges', variables, key(name))).errors).toMatchObject([
        { extensions: { reason: 'ERASED' } },
      ]);
  });

  it('are kept if a request found that the customer is erased, and have no values', async () => {
    const { id } = await save({ firstName: 'Ada qzw10' });
    const { data: changes } = await call('listChange', { recordId: { eq: id } });
    await erase(id);
    const changed = { input: { changeIds: [changes[0].id] } };
    for (const header of [key('late'), key('late'), {}])
      expect((await answerTo('revertChanges', changed, header)).errors).toMatchObject([
        { extensions: { code: 'NOT_FOUND', ids: [id] } },
      ]);
    expect(await tablesWith(database.owner, ['qzw10'])).toEqual([]);
  });
});

async function idsOf(recordId: string): Promise<string[]> {
  const rows = await database.owner.execute<{ id: string }>(sql`
    select id from webhook_delivery where merchant_id = ${ctx.merchantId} and record_id = ${recordId} order by sequence`);
  return rows.map(({ id }) => id);
}

type Outcome = { delivered: boolean; body: string };
type Claimed = Awaited<ReturnType<typeof claimDeliveries>>[number];

async function send(ids: string[], outcome: Outcome): Promise<void> {
  for (const delivery of await claimDeliveries(ctx, ids)) await settle(delivery, outcome);
}

async function settle({ id, webhookId, endpoint, attempt }: Claimed, { delivered, body }: Outcome): Promise<void> {
  const statusCode = delivered ? 200 : 500;
  const headers = [{ name: 'x-request-id', value: body }];
  const answer = { responseBody: body, responseHeaders: headers };
  const log = { at: Date.now(), statusCode, error: delivered ? null : 'status 500', durationMs: 1, ...answer };
  await settleDeliveries(ctx, [{ id, webhookId, endpoint, attempt, delivered, log }], [1_000, 1_000]);
}

async function makeDue(id: string): Promise<void> {
  await database.owner.execute(
    sql`update webhook_delivery set next_attempt_at = now() where merchant_id = ${ctx.merchantId} and id = ${id}`,
  );
}

async function logOf(id: string): Promise<object[]> {
  const [row] = await database.owner.execute<{ log: object[] }>(
    sql`select attempt_log as log from webhook_delivery where merchant_id = ${ctx.merchantId} and id = ${id}`,
  );
  return row!.log;
}
