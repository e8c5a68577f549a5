import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Context } from '../../src/context.ts';
import { revokeApp } from '../../src/app/revoke-app.ts';
import { appScopes } from '../../src/app-scope.ts';
import { continueReverts } from '../../src/revert/continue-reverts.ts';
import { revertSlice } from '../../src/revert/revert-slice.ts';
import { skipOnCluster } from '../support/cluster.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase, withoutTriggers } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { waitForLocks } from '../support/wait-for-locks.ts';
import { createOtherApp } from '../webhook/deliveries.ts';
import { closeGate } from './product-gate.ts';

/** Two slices of the worker. */
const RECORDS = 1_200;

// Thousands of products for each test: a minute and more on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

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

async function send(name: string, variables: object, headers = {}): Promise<any> {
  return await server.call(ctx, name, variables, headers);
}
async function call(name: string, variables: object): Promise<any> {
  const { data, errors } = await send(name, variables);
  expect(errors).toBeUndefined();
  return data[name];
}

async function work(): Promise<void> {
  await continueReverts(
    { db: database.db, across: database.across, log: ctx.log, webhook: ctx.webhook },
    new AbortController().signal,
  );
}

/** Products with a variant, all renamed by one transaction. Returns its change set. */
async function renamedProducts(): Promise<string> {
  // Only the update is taken back, so the rows need no history before it.
  await withoutTriggers(database.owner, async (owner) => {
    await owner.execute(sql`
      insert into product (merchant_id, name, type)
      select ${ctx.merchantId}, 'Old ' || n, 'PHYSICAL' from generate_series(1, ${RECORDS}::integer) n`);
    await owner.execute(sql`
      insert into variant (merchant_id, product_id, position, sku)
      select p.merchant_id, p.id, 0, 'old' from product p where p.${own()}`);
  });
  await database.owner.transaction(async (transaction) => {
    await transaction.execute(sql`update product set name = 'New' where ${own()}`);
    await transaction.execute(sql`update variant set sku = 'new' where ${own()}`);
  });
  return await lastSet();
}

/** Tags that one statement renamed. They have no other parts, words or prices, so a test with them is much shorter. */
async function renamedTags(): Promise<string> {
  await database.owner.execute(sql`
    insert into product_tag (merchant_id, name)
    select ${ctx.merchantId}, 'Old ' || n from generate_series(1, ${RECORDS}::integer) n`);
  await database.owner.execute(sql`update product_tag set name = 'New ' || name where ${own()}`);
  return await lastSet();
}

/** Products of which one transaction took the name and, of three, a brand that is deleted now. Returns its change set. */
async function productsOfDeletedBrand(): Promise<string> {
  const brand = await call('saveProductBrand', { input: { name: 'Brand' } });
  await database.owner.execute(sql`
    insert into product (merchant_id, name, type, brand_id)
    select ${ctx.merchantId}, 'P ' || n, 'PHYSICAL', case when n % 400 = 0 then ${brand.id}::uuid end
    from generate_series(1, ${RECORDS}::integer) n`);
  await database.owner.execute(sql`update product set name = 'New', brand_id = null where ${own()}`);
  const setId = await lastSet();
  await call('deleteProductBrandList', { idList: [brand.id] });
  return setId;
}

async function lastSet(): Promise<string> {
  const [set] = await database.owner.execute<{ id: string }>(
    sql`select change_set_id as id from change where ${own()} order by id desc limit 1`,
  );
  return set!.id;
}

async function count(condition: ReturnType<typeof sql>): Promise<number> {
  const [row] = await database.owner.execute<{ n: number }>(
    sql`select count(*)::int as n from product p join variant v on v.merchant_id = p.merchant_id and v.product_id = p.id
      where p.merchant_id = ${ctx.merchantId} and ${condition}`,
  );
  return row!.n;
}

async function countTags(pattern: string): Promise<number> {
  const [row] = await database.owner.execute<{ n: number }>(
    sql`select count(*)::int as n from product_tag where ${own()} and name like ${pattern}`,
  );
  return row!.n;
}

const isSavepoint = (statement: string) => statement.startsWith('savepoint');

describe('a revert of more records than one transaction takes back', () => {
  it('ends when its app is revoked, and says so', async () => {
    const setId = await renamedTags();
    const { bulkOperationId } = await call('revertChanges', { input: { changeSetId: setId } });
    const reverter = { ...ctx, session: { ...ctx.session, authorizedAppId: '' } };
    expect(await revertSlice(reverter, bulkOperationId)).toBe(true);
    const taken = await countTags('Old %');
    expect([taken > 0, taken < RECORDS]).toEqual([true, true]);
    await revokeApp(ctx, ctx.session);
    await work();
    expect(await countTags('Old %')).toBe(taken);
    expect(await call('getBulkOperation', { id: bulkOperationId })).toMatchObject({
      status: 'COMPLETED',
      updated: taken,
      errors: [{ path: 'input', message: 'The app was revoked' }],
    });
    // Another app takes the rest back.
    ctx = await createOtherApp(ctx, appScopes);
    const again = await call('revertChanges', { input: { changeSetId: setId } });
    await work();
    expect(await countTags('Old %')).toBe(RECORDS);
    expect(await call('getBulkOperation', { id: again.bulkOperationId })).toMatchObject({ errors: [] });
  });

  it('waits a second for a locked record, and goes on at the next run', async (test) => {
    skipOnCluster(test, 'locks are waited for on the node of the merchant');
    const { bulkOperationId: id } = await call('revertChanges', { input: { changeSetId: await renamedTags() } });
    const begunMs = performance.now();
    await database.db.transaction(async (db) => {
      await db.execute(sql`select from product_tag where ${own()} limit 1 for update`);
      await expect(work()).rejects.toThrow(ctx.merchantId);
    });
    expect(performance.now() - begunMs).toBeLessThan(10_000);
    expect(await call('getBulkOperation', { id })).toMatchObject({ status: 'RUNNING', errors: [] });
    await work();
    expect(await call('getBulkOperation', { id })).toMatchObject({ status: 'COMPLETED', updated: RECORDS, errors: [] });
  });

  it('is done by the worker in slices, and shown as a bulk operation', async () => {
    const setId = await renamedProducts();
    // The request only looks for conflicts, so it does not wait for a transaction that has locked a record.
    const gate = await closeGate(ctx, 0);
    const started = await call('revertChanges', { input: { changeSetId: setId } });
    await gate.open();
    expect(started).toMatchObject({ recordCount: RECORDS, bulkOperationId: expect.any(String), records: [] });
    expect(await call('revertChanges', { input: { changeSetId: setId } })).toEqual(started);
    const running = await call('getBulkOperation', { id: started.bulkOperationId });
    expect(running).toMatchObject({ status: 'RUNNING', revertsChangeSetId: setId, total: RECORDS, updated: 0 });
    await work();
    expect(await count(sql`p.name like 'Old %' and v.sku = 'old'`)).toBe(RECORDS);
    const ended = await call('getBulkOperation', { id: started.bulkOperationId });
    expect(ended).toMatchObject({ status: 'COMPLETED', updated: RECORDS, errors: [] });
    const { count: changes, data } = await call('listChange', { changeSetId: { eq: started.changeSetId } });
    expect(changes).toBe(RECORDS);
    expect(data[0].changeSet).toMatchObject({
      operation: 'revertChanges',
      revertsChangeSetId: setId,
      bulkOperationId: started.bulkOperationId,
    });
    expect(await call('revertChanges', { input: { changeSetId: setId } })).toMatchObject({
      recordCount: 0,
      bulkOperationId: started.bulkOperationId,
    });
    const again = await call('revertChanges', { input: { bulkOperationId: started.bulkOperationId } });
    await work();
    expect(again.recordCount).toBe(RECORDS);
    expect(await count(sql`p.name = 'New' and v.sku = 'new'`)).toBe(RECORDS);
  });

  it('is refused as a whole if a member has changed before', async () => {
    const setId = await renamedTags();
    await database.owner.execute(sql`
      update product_tag set name = 'Later ' || name where ${own()} and id in (select id from product_tag where ${own()} limit 1100)`);
    const { errors } = await send('revertChanges', { input: { changeSetId: setId } });
    expect(errors[0].extensions).toMatchObject({ code: 'CONFLICT', conflictCount: 1_100 });
    expect(errors[0].extensions.conflicts).toHaveLength(1_000);
    await work();
    expect(await countTags('Old %')).toBe(0);
  });

  it('leaves and names records that change while it runs, and continues where it was', async () => {
    const setId = await renamedTags();
    const { bulkOperationId, changeSetId } = await call('revertChanges', { input: { changeSetId: setId } });
    const expectUnfinished = async () => {
      for (const input of [{ bulkOperationId }, { changeSetId }])
        expect((await send('revertChanges', { input })).errors[0].extensions).toEqual({ code: 'CONFLICT' });
    };
    // Before its first change too.
    await expectUnfinished();
    expect(await revertSlice(ctx, bulkOperationId)).toBe(true);
    await expectUnfinished();
    expect(await countTags('Old %')).toBe(1_000);
    const [last] = await database.owner.execute<{ id: string }>(
      sql`select id from product_tag where ${own()} order by id desc limit 1`,
    );
    await call('saveProductTag', { input: { id: last!.id, name: 'Later' } });
    await work();
    expect(await countTags('Old %')).toBe(RECORDS - 1);
    expect(await call('getBulkOperation', { id: bulkOperationId })).toMatchObject({
      status: 'COMPLETED',
      updated: RECORDS - 1,
      errors: [{ path: `PRODUCT_TAG.${last!.id}.name`, message: 'has changed since' }],
    });
  });

  it('refuses another revert of the same changes until it has ended', async () => {
    const setId = await renamedTags();
    const { data } = await call('listChange', { changeSetId: { eq: setId } });
    const changeIds = [data[0].id];
    const isRefused = async (input: object) =>
      (await send('revertChanges', { input })).errors?.[0].extensions.code === 'CONFLICT';
    const begin = async () => await call('revertChanges', { input: { changeSetId: setId } });
    const [{ changeSetId, ...begun }, same] = await Promise.all([begin(), begin()]);
    expect(same).toEqual({ changeSetId, ...begun });
    expect(await isRefused({ changeIds })).toBe(true);
    await work();
    // Takes the first revert back.
    await call('revertChanges', { input: { changeSetId } });
    expect(await isRefused({ changeIds })).toBe(true);
    expect(await isRefused({ changeSetId: setId })).toBe(true);
    const [other] = (await call('listChange', { changeSetId: { ne: setId }, recordType: 'PRODUCT_TAG' })).data;
    expect(await isRefused({ changeIds: [other.id] })).toBe(true);
    await work();
    expect(await countTags('New %')).toBe(RECORDS);
    await call('revertChanges', { input: { changeIds } });
    await call('revertChanges', { input: { changeSetId: setId } });
    await work();
    expect(await countTags('Old %')).toBe(RECORDS);
  });

  it('does not begin before a revert of some of the changes has ended', async () => {
    const setId = await renamedTags();
    const { data } = await call('listChange', { changeSetId: { eq: setId } });
    const [{ id, recordId }] = data;
    let some!: Promise<any>;
    let all!: Promise<any>;
    await database.owner.transaction(async (transaction) => {
      await transaction.execute(sql`select from product_tag where ${own()} and id = ${recordId} for update`);
      some = call('revertChanges', { input: { changeIds: [id] } });
      await waitForLocks(database.owner, 1);
      all = call('revertChanges', { input: { changeSetId: setId } });
      await waitForLocks(database.owner, 2);
    });
    expect(await some).toMatchObject({ recordCount: 1 });
    expect(await all).toMatchObject({ bulkOperationId: expect.any(String) });
    await work();
    expect(await countTags('Old %')).toBe(RECORDS);
  });

  it('leaves and names records that a rule refuses', async () => {
    const setId = await productsOfDeletedBrand();
    const { bulkOperationId } = await call('revertChanges', { input: { changeSetId: setId } });
    await work();
    const { status, updated, errors } = await call('getBulkOperation', { id: bulkOperationId });
    expect({ status, updated }).toEqual({ status: 'COMPLETED', updated: RECORDS - 3 });
    expect(errors).toHaveLength(3);
    expect(errors[0].message).toContain('ProductBrand not found');
  });

  it('takes fewer records back at once after a transaction that took longer than a minute', async () => {
    const setId = await productsOfDeletedBrand();
    const { bulkOperationId } = await call('revertChanges', { input: { changeSetId: setId } });
    // As if each savepoint took a second. A refused record among 1,000 needs 65 of them.
    const now = performance.now.bind(performance);
    const { statements } = database;
    const clock = vi
      .spyOn(performance, 'now')
      .mockImplementation(() => now() + 1_000 * statements.filter(isSavepoint).length);
    await work().finally(() => clock.mockRestore());
    const { status, updated, errors } = await call('getBulkOperation', { id: bulkOperationId });
    expect({ status, updated }).toEqual({ status: 'COMPLETED', updated: RECORDS - 3 });
    expect(errors).toHaveLength(3);
  });

  it('takes fewer records back at once after a statement that took too long', async ({ skip }) => {
    skip(database.placement.needsRelay, 'a cluster refuses a trigger that this test would add');
    const setId = await renamedTags();
    const { bulkOperationId } = await call('revertChanges', { input: { changeSetId: setId } });
    await database.owner.execute(sql`
      create function cancel_many() returns trigger language plpgsql as $$ begin
        if (select count(*) from changed where merchant_id = ${sql.raw(`'${ctx.merchantId}'`)}) > 300 then
          raise query_canceled;
        end if;
        return null;
      end $$`);
    await database.owner.execute(sql`
      create trigger cancel_many after update on product_tag referencing new table as changed
        for each statement execute function cancel_many()`);
    try {
      await work();
    } finally {
      await database.owner.execute(sql`drop trigger cancel_many on product_tag`);
    }
    expect(await countTags('Old %')).toBe(RECORDS);
    const ended = await call('getBulkOperation', { id: bulkOperationId });
    expect(ended).toMatchObject({ status: 'COMPLETED', updated: RECORDS, errors: [] });
  });

  it('takes back records that plain SQL has damaged', async () => {
    await database.owner.execute(sql`
      insert into category (merchant_id, name, conditions)
      select ${ctx.merchantId}, 'Old ' || n, case when n = 400 then '[{}]'::json end
      from generate_series(1, ${RECORDS}::integer) n`);
    await database.owner.execute(sql`update category set name = 'New ' || name where ${own()}`);
    const { bulkOperationId } = await call('revertChanges', { input: { changeSetId: await lastSet() } });
    await work();
    expect(await call('getBulkOperation', { id: bulkOperationId })).toMatchObject({
      status: 'COMPLETED',
      updated: RECORDS,
    });
    const left = await database.owner.execute(sql`select from category where ${own()} and name like 'New %'`);
    expect(left).toHaveLength(0);
  });

  it('leaves and names records whose former values the database refuses', async ({ skip }) => {
    skip(database.placement.needsRelay, 'a cluster refuses a constraint that this test would add');
    const setId = await renamedTags();
    await database.owner.execute(sql`
      alter table product_tag add constraint refused check (name <> 'Old 7' or merchant_id <> ${sql.raw(`'${ctx.merchantId}'`)})
        not valid`);
    const { bulkOperationId } = await call('revertChanges', { input: { changeSetId: setId } });
    await work();
    await database.owner.execute(sql`alter table product_tag drop constraint refused`);
    expect(await countTags('Old %')).toBe(RECORDS - 1);
    const { status, errors } = await call('getBulkOperation', { id: bulkOperationId });
    expect({ status, errors }).toMatchObject({ status: 'COMPLETED', errors: [{ message: 'Unexpected error' }] });
  });

  it('is not begun by a dry run', async () => {
    const setId = await renamedTags();
    const { data } = await send('revertChanges', { input: { changeSetId: setId } }, { 'x-dry-run': 'true' });
    expect(data.revertChanges.recordCount).toBe(RECORDS);
    await work();
    expect(await countTags('Old %')).toBe(0);
  });

  it('takes products back that are too large to be read a thousand at once', async () => {
    const setId = await renamedProducts();
    // 650 products of 80 KiB are more than the 48 MiB that one transaction reads.
    await withoutTriggers(database.owner, (owner) =>
      owner.execute(sql`
      update product set description = repeat('x', 81920)
      where ${own()} and id in (select id from product where ${own()} order by id limit 650)`),
    );
    const { bulkOperationId } = await call('revertChanges', { input: { changeSetId: setId } });
    await work();
    expect(await count(sql`p.name like 'Old %' and v.sku = 'old'`)).toBe(RECORDS);
    const ended = await call('getBulkOperation', { id: bulkOperationId });
    expect(ended).toMatchObject({ status: 'COMPLETED', updated: RECORDS, errors: [] });
  });

  it('takes products back whose deleted variants are too large to be read a thousand at once', async () => {
    const setId = await renamedProducts();
    // As many bytes as above.
    await withoutTriggers(database.owner, (owner) =>
      owner.execute(sql`
      update variant set deleted = true, attributes = json_build_array(json_build_object('value', repeat('x', 81920)))
      where ${own()} and id in (select id from variant where ${own()} order by product_id limit 650)`),
    );
    const { bulkOperationId } = await call('revertChanges', { input: { changeSetId: setId } });
    await work();
    expect(await count(sql`p.name like 'Old %' and v.sku = 'old'`)).toBe(RECORDS);
    const ended = await call('getBulkOperation', { id: bulkOperationId });
    expect(ended).toMatchObject({ status: 'COMPLETED', updated: RECORDS, errors: [] });
  });

  it('continues although the revert of another merchant fails', async ({ skip }) => {
    skip(database.placement.needsRelay, 'a cluster refuses a trigger that this test would add');
    const failing = ctx.merchantId;
    await call('revertChanges', { input: { changeSetId: await renamedTags() } });
    await database.owner.execute(sql`
      create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$`);
    await database.owner.execute(sql`
      create trigger fail before update on revert_run for each row
        when (new.merchant_id = ${sql.raw(`'${failing}'`)}) execute function fail()`);
    ctx = await createContext(database.db);
    await call('revertChanges', { input: { changeSetId: await renamedTags() } });
    await expect(work()).rejects.toThrow(failing);
    expect(await countTags('Old %')).toBe(RECORDS);
    await database.owner.execute(sql`drop trigger fail on revert_run`);
  });
});
