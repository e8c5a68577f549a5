import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Context } from '../../src/context.ts';
import { continueReverts } from '../../src/revert/continue-reverts.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';

vi.setConfig({ testTimeout: 60_000 });

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

const own = () => sql`merchant_id = ${ctx.merchantId}`;

async function answerTo(name: string, variables: object): Promise<{ data: any; errors?: any }> {
  return (await server.call(ctx, name, variables)) as { data: any; errors?: any };
}

async function call(name: string, variables: object): Promise<any> {
  const { data, errors } = await answerTo(name, variables);
  expect(errors).toBeUndefined();
  return data[name];
}

/** Gives so many customers a wrong note in one statement. Returns their ids and the change set. */
async function wrongNotes(count: number): Promise<{ ids: string[]; changeSetId: string }> {
  const rows = await database.owner.execute<{ id: string }>(sql`
    insert into customer (merchant_id, first_name, note)
    select ${ctx.merchantId}::uuid, 'C' || n, 'right' from generate_series(1, ${count}::integer) n returning id`);
  await database.owner.execute(sql`update customer set note = 'wrong' where ${own()}`);
  const [set] = await database.owner.execute<{ id: string }>(
    sql`select change_set_id as id from change where ${own()} order by id desc limit 1`,
  );
  return { ids: rows.map(({ id }) => id), changeSetId: set!.id };
}

async function notes(): Promise<object> {
  const rows = await database.owner.execute<{ note: string | null; count: number }>(
    sql`select note, count(*)::int as count from customer where ${own()} group by 1 order by 1`,
  );
  return Object.fromEntries(rows.map(({ note, count }) => [note, count]));
}

it('a revert of a change set leaves erased customers out, and names them', async () => {
  const { ids, changeSetId } = await wrongNotes(3);
  await call('eraseCustomerList', { idList: [ids[1]] });
  const reverted = await call('revertChanges', { input: { changeSetId } });
  expect(reverted).toMatchObject({ recordCount: 2, erasedCustomerIds: [ids[1]] });
  expect(await notes()).toEqual({ right: 2, null: 1 });
});

it('an erased customer whose row plain SQL has removed is left out too', async () => {
  const { ids, changeSetId } = await wrongNotes(2);
  await call('eraseCustomerList', { idList: [ids[0]] });
  await database.owner.execute(sql`delete from customer where id = ${ids[0]}`);
  const reverted = await call('revertChanges', { input: { changeSetId } });
  expect(reverted).toMatchObject({ recordCount: 1, erasedCustomerIds: [ids[0]] });
  expect(await notes()).toEqual({ right: 1 });
});

it('a change set of nothing but erased customers is refused, and so are their single changes', async () => {
  const { ids, changeSetId } = await wrongNotes(1);
  await wrongNotes(1);
  const { data: changes } = await call('listChange', { recordId: { eq: ids[0] } });
  await call('eraseCustomerList', { idList: ids });
  for (const input of [{ changeIds: [changes[0].id] }, { changeSetId }])
    expect((await answerTo('revertChanges', { input })).errors).toMatchObject([
      { extensions: { code: 'NOT_FOUND', ids } },
    ]);
});

it('a revert in the background leaves erased customers out, and names them', async () => {
  const { ids, changeSetId } = await wrongNotes(1_100);
  await call('eraseCustomerList', { idList: ids.slice(0, 2) });
  const started = await call('revertChanges', { input: { changeSetId } });
  expect(started).toMatchObject({ recordCount: 1_098 });
  expect(started.erasedCustomerIds.toSorted()).toEqual(ids.slice(0, 2).toSorted());
  await continueReverts(
    { db: database.db, across: database.across, log: ctx.log, webhook: ctx.webhook },
    new AbortController().signal,
  );
  const { updated, errors } = await call('getBulkOperation', { id: started.bulkOperationId });
  expect(updated).toBe(1_098);
  expect(errors.map(({ path }: any) => path).toSorted()).toEqual(
    ids
      .slice(0, 2)
      .map((id) => `CUSTOMER.${id}`)
      .toSorted(),
  );
  expect(await notes()).toEqual({ right: 1_098, null: 2 });
});
