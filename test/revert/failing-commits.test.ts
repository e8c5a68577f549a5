import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
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
beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

type Ended = { status: string; updated: number; errors: { path: string; message: string }[] };

async function revert(ctx: Context, changeSetId: string): Promise<Ended> {
  const call = async <Answer>(name: string, variables: object): Promise<Answer> => {
    const { data, errors } = (await server.call(ctx, name, variables)) as { data: any; errors?: unknown };
    expect(errors).toBeUndefined();
    return data[name];
  };
  const started = await call<{ bulkOperationId: string }>('revertChanges', { input: { changeSetId } });
  await continueReverts(
    { db: database.db, across: database.across, log: ctx.log, webhook: ctx.webhook },
    new AbortController().signal,
  );
  return await call('getBulkOperation', { id: started.bulkOperationId });
}

async function lastSet(ctx: Context): Promise<string> {
  const [set] = await database.owner.execute<{ id: string }>(
    sql`select change_set_id as id from change where ${own(ctx)} order by id desc limit 1`,
  );
  return set!.id;
}

const own = ({ merchantId }: Context) => sql`merchant_id = ${merchantId}`;

it('a product whose event cannot be written stays, and the others are taken back', async () => {
  const ctx = await createContext(database.db);
  await database.owner.execute(sql`
    insert into product (merchant_id, name, type)
    select ${ctx.merchantId}, 'Old ' || n, 'PHYSICAL' from generate_series(1, ${RECORDS}::integer) n`);
  const [damaged] = await database.owner.execute<{ id: string }>(
    sql`select id from product where ${own(ctx)} order by id offset 700 limit 1`,
  );
  await database.owner.execute(sql`
    insert into variant (merchant_id, product_id, position, images)
    values (${ctx.merchantId}, ${damaged!.id}, 0, '[{"isMain": "maybe"}]')`);
  await database.owner.execute(sql`update product set name = 'New' where ${own(ctx)}`);
  const setId = await lastSet(ctx);
  await server.call(ctx, 'saveWebhook', {
    input: { endpoint: 'https://shop.example/hook', scopes: ['store/product/updated'] },
  });
  const { status, updated, errors } = await revert(ctx, setId);
  expect({ status, updated, errors }).toEqual({
    status: 'COMPLETED',
    updated: RECORDS - 1,
    errors: [{ path: `PRODUCT.${damaged!.id}`, message: 'Unexpected error' }],
  });
  const left = await database.owner.execute(sql`select id from product where ${own(ctx)} and name = 'New'`);
  expect(left).toEqual([{ id: damaged!.id }]);
});

it('a record that takes too long also alone stays, and the others are taken back', async ({ skip }) => {
  skip(database.placement.needsRelay, 'a cluster refuses a trigger that this test would add');
  const ctx = await createContext(database.db);
  await database.owner.execute(sql`
    insert into product_tag (merchant_id, name)
    select ${ctx.merchantId}, 'Old ' || n from generate_series(1, ${RECORDS}::integer) n`);
  await database.owner.execute(sql`update product_tag set name = 'New ' || name where ${own(ctx)}`);
  await database.owner.execute(sql`
    create function cancel() returns trigger language plpgsql as $$ begin raise query_canceled; end $$`);
  await database.owner.execute(sql`
    create trigger cancel before update on product_tag for each row when (new.name = 'Old 7') execute function cancel()`);
  const { status, updated, errors } = await revert(ctx, await lastSet(ctx));
  expect({ status, updated, errors }).toEqual({
    status: 'COMPLETED',
    updated: RECORDS - 1,
    errors: [{ path: expect.stringMatching(/^PRODUCT_TAG\.[0-9a-f-]{36}$/), message: 'takes too long' }],
  });
});
