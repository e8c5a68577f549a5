import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { appScopes } from '../../../src/app-scope.ts';
import { eraseCustomerList } from '../../../src/customer/eraseCustomerList.ts';
import { repeatErasures } from '../../../src/customer/erasure/repeat-erasures.ts';
import { saveCustomer } from '../../../src/customer/saveCustomer.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { inTransaction } from '../../../src/db/connection/transaction.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { createOtherApp } from '../../webhook/deliveries.ts';
import { startOperations } from '../../support/operation.ts';

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

async function call(name: string, variables: object, headers = {}): Promise<any> {
  const { data, errors } = (await server.call(ctx, name, variables, headers)) as any;
  expect(errors).toBeUndefined();
  return data[name];
}

const save = async (input: object) => await call('saveCustomer', { input });

/** Saves a brand on behalf of each person. */
async function act(...actors: string[]): Promise<void> {
  for (const [index, actor] of actors.entries())
    await call('saveProductBrand', { input: { name: `Brand ${index}` } }, { 'x-actor': encodeURIComponent(actor) });
}

/** The actors of the saved brands, the first one first. */
async function actors(): Promise<string[]> {
  const { data } = await call('listChange', { recordType: 'PRODUCT_BRAND' });
  return data.map(({ changeSet }: any) => changeSet.actor).reverse();
}

describe('the actor of other changes, if it is an erased customer', () => {
  it('is erased by each full name that the customer had, and by no other combination of them', async () => {
    const { id } = await save({ firstName: 'Ada', lastName: 'Byron' });
    await save({ id, firstName: 'Ada', lastName: 'King' });
    await save({ id, firstName: 'Augusta', lastName: 'King' });
    await save({ id, firstName: 'Augusta', lastName: null });
    await save({ id, firstName: 'Countess', lastName: 'Lovelace' });
    const names = ['ADA BYRON', 'Ada King', 'augusta king', 'Augusta', 'Countess Lovelace'];
    const others = ['Augusta Byron', 'Ada', 'Ada Lovelace', 'Ada King, for Countess Lovelace'];
    await act(...names, ...others);
    await call('eraseCustomerList', { idList: [id] });
    expect(await actors()).toEqual([...names.map(() => 'erased'), ...others]);
  });

  it('is erased by a name that the request of the erasure has changed', async () => {
    const { id } = await save({ firstName: 'Ada', lastName: 'Byron' });
    await act('Ada Byron', 'Ada King', 'Ada Lovelace', 'Ada');
    await inTransaction(ctx, async (ctx) => {
      await saveCustomer(ctx, { input: { id, firstName: 'Ada', lastName: 'King' } as never }, { id: {} });
      await saveCustomer(ctx, { input: { id, firstName: 'Ada', lastName: 'Lovelace' } as never }, { id: {} });
      await eraseCustomerList(ctx, { idList: [id] }, { id: {} });
    });
    expect(await actors()).toEqual(['erased', 'erased', 'erased', 'Ada']);
  });

  it('is stored composed and without outer spaces, and erased in whatever form it was sent', async () => {
    const { id } = await save({ firstName: 'Zoë', lastName: 'Müller' });
    const composed = 'ZOË MÜLLER'.normalize('NFC');
    await act(composed.normalize('NFD'), ` ${composed} `, 'zoë müller'.normalize('NFD'), 'Zoe Muller');
    expect(await actors()).toEqual([composed, composed, 'zoë müller'.normalize('NFC'), 'Zoe Muller']);
    await call('eraseCustomerList', { idList: [id] });
    expect(await actors()).toEqual(['erased', 'erased', 'erased', 'Zoe Muller']);
  });
});

describe('the actor of a change of another app, if it is an erased customer', () => {
  const customer = { firstName: 'Ada', email: 'ada@example.com' };
  let other: Context;
  beforeEach(async () => {
    other = await createOtherApp(ctx, appScopes);
  });

  async function actOfOther(name: string, input: object): Promise<any> {
    const { data } = (await server.call(other, name, { input }, { 'x-actor': 'ada@example.com' })) as any;
    return data[name];
  }

  it('stays: it may be staff with the address of a customer', async () => {
    await actOfOther('saveProductBrand', { name: 'By staff' });
    await act('ada@example.com');
    const { id } = await save(customer);
    const receipt = await call('eraseCustomerList', { idList: [id] });
    expect(await actors()).toEqual(['ada@example.com', 'erased']);
    expect(receipt.items).toContainEqual({ place: 'CHANGE_SET', count: 1 });
  });

  it('is erased if the app has named the customer as actor in a change of the customer', async () => {
    const { id } = await save(customer);
    await actOfOther('saveCustomer', { id, ...customer, note: 'My own' });
    await actOfOther('saveProductBrand', { name: 'By the customer' });
    await act('ada@example.com');
    await repeatErasures({ db: database.db, merchantId: ctx.merchantId }, [id], {});
    expect(await actors()).toEqual(['erased', 'ada@example.com']);
  });
});

describe('the actor of a change of the customer without values', () => {
  it('is erased, whoever it is: former addresses are not known', async () => {
    const { id } = await save({ firstName: 'Ada' });
    const note = 'Kept without values';
    await call(
      'saveCustomer',
      { input: { id, firstName: 'Ada', email: 'old@example.com', note } },
      { 'x-actor': 'Staff' },
    );
    await call(
      'saveCustomer',
      { input: { id, firstName: 'Ada', email: null, note } },
      { 'x-actor': 'old@example.com' },
    );
    await call('saveCustomer', { input: { id, firstName: 'Ada', note: null } }, { 'x-actor': 'Other staff' });
    await database.owner.execute(sql`
      update change set truncated = true where record_id = ${id} and number in (2, 3)`);
    await database.owner.execute(sql`
      update change_part set before = null, after = null, truncated = true where record_id = ${id}`);
    await call('eraseCustomerList', { idList: [id] });
    const { data } = await call('listChange', { recordId: { eq: id } });
    expect(data.map(({ changeSet }: any) => changeSet.actor)).toEqual([null, 'Other staff', 'erased', 'erased', null]);
  });
});

describe('the actor of a background revert', () => {
  const words = 'Staff for ada@example.com';
  const started: Record<'changeSetId' | 'revertedChangeSetId', string> = { changeSetId: '', revertedChangeSetId: '' };
  beforeEach(() => Object.assign(started, { changeSetId: newId(), revertedChangeSetId: newId() }));

  async function addRun(actor: string, conflicts: object[] = [], appId = ctx.session.authorizedAppId): Promise<void> {
    await database.db.execute(sql`
      insert into revert_run
        (merchant_id, authorized_app_id, change_set_id, reverted_change_set_id, operation, actor, conflicts)
      values (${ctx.merchantId}, ${appId}, ${started.changeSetId}, ${started.revertedChangeSetId}, 'revertChanges',
        ${actor}, ${JSON.stringify(conflicts)}::json)`);
  }
  async function runActors(): Promise<string[]> {
    const rows = await database.db.execute<{ actor: string }>(
      sql`select actor from revert_run where merchant_id = ${ctx.merchantId}`,
    );
    // Ids of one millisecond are in no order.
    return rows.map(({ actor }) => actor).sort();
  }
  const saveAda = async (): Promise<string> => (await save({ firstName: 'Ada', email: 'ada@example.com' })).id;

  it('stays if it only contains the address of a customer whom the revert does not concern', async () => {
    const id = await saveAda();
    for (const actor of [words, 'Nevada@example.com', 'ADA@example.com', 'Ada']) await addRun(actor);
    await call('eraseCustomerList', { idList: [id] });
    expect(await runActors()).toEqual(['Nevada@example.com', words, 'erased', 'erased']);
  });

  it('stays if it is the address of a customer and the revert is of another app', async () => {
    const id = await saveAda();
    await addRun('ada@example.com', [], newId());
    await call('eraseCustomerList', { idList: [id] });
    expect(await runActors()).toEqual(['ada@example.com']);
  });

  it.each(['changeSetId', 'revertedChangeSetId'] as const)(
    'is erased if it contains the address and its %s has a change of the customer',
    async (member) => {
      const id = await saveAda();
      const { data } = await call('listChange', { recordId: { eq: id } });
      started[member] = data[0].changeSet.id;
      await addRun(words);
      await call('eraseCustomerList', { idList: [id] });
      expect(await runActors()).toEqual(['erased']);
    },
  );

  it('is erased if it contains the address and the revert has a conflict of the customer', async () => {
    const id = await saveAda();
    await addRun(words, [{ path: `CUSTOMER.${id}.email`, message: 'is ada@example.com' }]);
    await call('eraseCustomerList', { idList: [id] });
    expect(await runActors()).toEqual(['erased']);
  });
});
