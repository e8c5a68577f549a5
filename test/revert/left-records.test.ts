import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Context } from '../../src/context.ts';
import { continueReverts } from '../../src/revert/continue-reverts.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';

/** Two slices of the worker. */
const RECORDS = 1_200;

vi.setConfig({ testTimeout: 180_000 });

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
/** The categories in the order of their ids. */
let ids: string[];

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
  await database.owner.execute(sql`
    insert into category (merchant_id, name)
    select ${ctx.merchantId}, 'Old ' || n from generate_series(1, ${RECORDS}::integer) n`);
  const rows = await database.owner.execute<{ id: string }>(sql`select id from category where ${own()} order by id`);
  ids = rows.map(({ id }) => id);
});

const own = () => sql`merchant_id = ${ctx.merchantId}`;

async function call(name: string, variables: object): Promise<any> {
  const { data, errors } = (await server.call(ctx, name, variables)) as { data: any; errors?: unknown };
  expect(errors).toBeUndefined();
  return data[name];
}

/** One transaction renames all categories, takes the children from their parents, and deletes these parents. */
async function change(pairs: [number, number][], deleted = pairs.map(([, parent]) => parent)): Promise<string> {
  for (const [child, parent] of pairs)
    await database.owner.execute(sql`
      update category set parent_id = ${ids[parent]}, path = array[${ids[parent]}::uuid]
      where ${own()} and id = ${ids[child]}`);
  const deletedIds = `{${deleted.map((place) => ids[place]).join()}}`;
  await database.owner.execute(sql`
    update category set name = 'New ' || name, parent_id = null, path = '{}', deleted = id = any(${deletedIds}::uuid[])
    where ${own()}`);
  const [set] = await database.owner.execute<{ id: string }>(
    sql`select change_set_id as id from change where ${own()} order by id desc limit 1`,
  );
  return set!.id;
}

async function revert(changeSetId: string): Promise<any> {
  const { bulkOperationId } = await call('revertChanges', { input: { changeSetId } });
  await continueReverts(
    { db: database.db, across: database.across, log: ctx.log, webhook: ctx.webhook },
    new AbortController().signal,
  );
  return await call('getBulkOperation', { id: bulkOperationId });
}

it('a record that needs one of a later slice is taken back at the end', async () => {
  const { updated, errors } = await revert(await change([[0, 1_100]]));
  expect({ updated, errors }).toEqual({ updated: RECORDS, errors: [] });
  const [child] = await database.owner.execute(sql`
    select name, parent_id as "parentId" from category where ${own()} and id = ${ids[0]}`);
  expect(child).toEqual({ name: expect.stringMatching(/^Old /), parentId: ids[1_100] });
});

it('a record that a rule still refuses at the end stays, and is named once', async () => {
  const setId = await change(
    [
      [0, 1_100],
      [500, 502],
    ],
    [1_100],
  );
  await call('deleteCategoryList', { idList: [ids[502]] });
  const { updated, errors } = await revert(setId);
  expect(errors).toEqual([{ path: `CATEGORY.${ids[500]}`, message: `Category not found: ${ids[502]}` }]);
  expect(updated).toBe(RECORDS - 1);
});
