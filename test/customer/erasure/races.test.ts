import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { eraseCustomerList } from '../../../src/customer/eraseCustomerList.ts';
import { saveCustomer } from '../../../src/customer/saveCustomer.ts';
import { inTransaction } from '../../../src/db/connection/transaction.ts';
import { executeOnce, findStoredResponse } from '../../../src/idempotency/execute-once.ts';
import { addStoredBytes } from '../../../src/idempotency/stored-bytes.ts';
import { revertSlice } from '../../../src/revert/revert-slice.ts';
import { claimDeliveries } from '../../../src/webhook/ledger/claim-deliveries.ts';
import { closeGate } from '../../revert/product-gate.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { waitForLocks } from '../../support/wait-for-locks.ts';
import { save as register } from '../../webhook/deliveries.ts';
import { person, REFUSED_BY_DATABASE } from './person.ts';
import { tablesWith } from './tables-with.ts';

const MARK = 'vwk1';

let database: TestDatabase;
let ctx: Context;
let id: string;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createContext(database.db);
  await register(ctx, ['store/customer/created', 'store/customer/updated']);
  id = (await saveCustomer(ctx, { input: person(MARK) as never }, { id: {} })).id;
});

const erase = async (context = ctx) => await eraseCustomerList(context, { idList: [id] }, { id: {} });
const save = async (context = ctx) =>
  await saveCustomer(context, { input: { id, ...person(MARK), note: `later ${MARK}` } as never }, { id: {} });
const expectErased = async () => expect(await tablesWith(database.owner, [MARK])).toEqual([]);

/** Runs `first` in a transaction that stays open until a statement of `second` waits for it. Returns what `second` does. */
async function inTurn<T>(first: (ctx: Context) => Promise<unknown>, second: () => Promise<T>): Promise<T> {
  let waiting: Promise<PromiseSettledResult<T>[]> | undefined;
  await inTransaction(ctx, async (ctx) => {
    await first(ctx);
    waiting = Promise.allSettled([second()]);
    await waitForLocks(database.owner, 1);
  });
  const [settled] = await waiting!;
  if (settled!.status === 'rejected') throw settled!.reason;
  return settled!.value;
}

it('a save that waits for an erasure is refused', async () => {
  await expect(inTurn(erase, save)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expectErased();
});

it('an update by plain SQL that waits for an erasure is refused', async () => {
  const update = async () =>
    await database.db.execute(
      sql`update customer set note = ${MARK} where merchant_id = ${ctx.merchantId} and id = ${id}`,
    );
  await expect(inTurn(erase, update)).rejects.toMatchObject(REFUSED_BY_DATABASE);
  await expectErased();
});

it('an erasure that waits for a save erases what the save has written, its changes included', async () => {
  await inTurn(save, async () => await erase());
  await expectErased();
  const [counted] = await database.owner.execute(
    sql`select count(*)::int as count from change where merchant_id = ${ctx.merchantId} and record_id = ${id}`,
  );
  expect(counted).toEqual({ count: 3 });
});

it('a worker that waits for an erasure to claim a delivery gets no values', async () => {
  const [delivery] = await database.owner.execute<{ id: string }>(
    sql`select id from webhook_delivery where merchant_id = ${ctx.merchantId} and record_id = ${id}`,
  );
  const claimed = await inTurn(erase, async () => await claimDeliveries(ctx, [delivery!.id]));
  expect(claimed).toMatchObject([{ data: `{"id":"${id}"}`, truncated: ['*'], changes: null }]);
  await expectErased();
});

const request = { key: 'key', contentHash: '0'.repeat(64) };
const shown = { status: 200, headers: {}, body: { errors: [{ found: MARK }] } };

it('an answer that a request stores after the erasure is not kept', async () => {
  const keyed = { ...ctx, customerIds: new Set([id]) };
  await executeOnce(keyed, request, async () => {
    await erase();
    return { response: shown, stays: 'key' };
  });
  await expect(findStoredResponse(ctx, request)).rejects.toMatchObject({ extensions: { reason: 'ERASED' } });
  await expectErased();
});

it('an erasure waits for a request that is storing its answer, although the request has failed', async () => {
  const keyed = { ...ctx, customerIds: new Set([id]) };
  let storing: Promise<unknown> | undefined;
  let erasing: Promise<unknown> | undefined;
  // Another request of the merchant holds the lock on the stored bytes, for which the first one waits last.
  await inTransaction(ctx, async (other) => {
    await addStoredBytes(other, [], 1);
    storing = executeOnce(keyed, request, async () => ({ response: shown, stays: 'key' }));
    await waitForLocks(database.owner, 1);
    erasing = erase();
    await waitForLocks(database.owner, 2);
  });
  expect(await storing).toMatchObject(shown);
  await erasing;
  await expect(findStoredResponse(ctx, request)).rejects.toMatchObject({ extensions: { reason: 'ERASED' } });
  await expectErased();
});

describe('a background revert with the customer as actor', () => {
  let runId: string;

  beforeEach(async () => {
    const own = sql`merchant_id = ${ctx.merchantId}`;
    await database.owner.execute(
      sql`insert into product (merchant_id, name, type) values (${ctx.merchantId}, 'Old', 'PHYSICAL')`,
    );
    await database.owner.execute(sql`update product set name = 'New' where ${own}`);
    const [run] = await database.owner.execute<{ id: string }>(sql`
      insert into revert_run (merchant_id, authorized_app_id, change_set_id, reverted_change_set_id, operation, actor)
      select merchant_id, ${ctx.session.authorizedAppId}::uuid, uuid_v7(), change_set_id, 'revertChanges', ${person(MARK).email} from change
      where ${own} and record_type = 'PRODUCT' and kind = 'UPDATED' returning id`);
    runId = run!.id;
  });

  async function actors(): Promise<(string | null)[]> {
    const sets = await database.owner.execute<{ actor: string | null }>(
      sql`select actor from change_set where merchant_id = ${ctx.merchantId} and operation = 'revertChanges'`,
    );
    return sets.map(({ actor }) => actor);
  }

  it('loses it in the change set of a slice for which the erasure waits', async () => {
    const gate = await closeGate(ctx, 0);
    const slice = revertSlice(ctx, runId);
    await waitForLocks(database.owner, 1);
    const erasing = erase();
    await waitForLocks(database.owner, 2);
    await gate.open();
    expect(await slice).toBe(true);
    await erasing;
    expect(await actors()).toEqual(['erased']);
    await expectErased();
  });

  it('does not store it by a slice that began before the erasure and locks the run after it', async (test) => {
    skipOnCluster(test, 'the slice is held by the lock of a table');
    let slice: Promise<boolean>;
    await database.owner.transaction(async (transaction) => {
      await transaction.execute(sql`lock table change_transaction in exclusive mode`);
      slice = revertSlice(ctx, runId);
      await waitForLocks(database.owner, 1);
      // As the erasure does, whose own changes the lock of the table would hold too.
      await transaction.execute(
        sql`update revert_run set actor = 'erased' where merchant_id = ${ctx.merchantId} and id = ${runId}`,
      );
    });
    expect(await slice!).toBe(true);
    expect(await actors()).toEqual([]);
    expect(await revertSlice(ctx, runId)).toBe(true);
    expect(await actors()).toEqual(['erased']);
  });
});
