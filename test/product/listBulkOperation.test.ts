import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';

type Operation = { id: string; total: number; status: string; imagesPending: number; createdAt: number };
type Page = { count: number; data: Operation[]; hasNext: boolean; endCursor: string };

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let own: Context;
/** Oldest first. */
const ids: string[] = [];

beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  own = await createContext(database.db);
  const image = { imageUrl: 'https://pictures.example/a.png', isMain: true, order: 1 };
  for (const images of [[image], [], []]) {
    const product = { name: 'Shirt', type: 'PHYSICAL', categories: [], productVariantTypes: [] };
    const input = [{ ...product, variants: [{ prices: [{ sellPrice: 1 }], images }] }];
    const { data } = await api.call(own, 'bulkUpdateProducts', { input });
    ids.push(data!['bulkUpdateProducts'] as string);
  }
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

async function list(ctx: Context, variables: object = {}): Promise<Page> {
  const { data, errors } = await api.call(ctx, 'listBulkOperation', variables);
  expect(errors).toBeUndefined();
  return data!['listBulkOperation'] as Page;
}

describe('listBulkOperation', () => {
  it("lists the merchant's own bulk requests, newest first, with the members of getBulkOperation", async () => {
    const { data, count } = await list(own);
    expect(data.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(count).toBe(3);
    expect(data.at(-1)).toMatchObject({
      total: 1,
      created: 1,
      status: 'RUNNING',
      imagesTotal: 1,
      imagesPending: 1,
      errors: [],
    });
    expect(data[0]).toMatchObject({ status: 'COMPLETED', imagesPending: 0, imagesFailed: 0 });
    for (const operation of data) {
      const { data: one } = await api.call(own, 'getBulkOperation', { id: operation.id });
      expect(one!['getBulkOperation']).toEqual(operation);
    }
    expect(await list(await createContext(database.db))).toMatchObject({ count: 0, data: [] });
  });

  it('is filtered and paged', async () => {
    expect((await list(own, { id: { in: [ids[1]!, 'no id'] } })).data.map(({ id }) => id)).toEqual([ids[1]]);
    const { createdAt } = (await list(own)).data[1]!;
    expect((await list(own, { createdAt: { lt: createdAt } })).data.map(({ id }) => id)).toEqual([ids[0]]);
    const first = await list(own, { pagination: { limit: 2 } });
    expect(first).toMatchObject({ hasNext: true, count: 3 });
    const rest = await list(own, { pagination: { limit: 2, after: first.endCursor } });
    expect(rest.data.map(({ id }) => id)).toEqual([ids[0]]);
    const { errors } = await api.call(own, 'listBulkOperation', { pagination: { limit: 201 } });
    expect(errors).toMatchObject([{ extensions: { code: 'ARGUMENT_VALIDATION_ERROR' } }]);
  });

  it('has the first 1,000 errors of pictures, and counts all', async () => {
    const ctx = await createContext(database.db);
    const images = [{ imageUrl: 'https://pictures.example/a.png', isMain: true, order: 1 }];
    const product = { name: 'Shirt', type: 'PHYSICAL', categories: [], productVariantTypes: [] };
    await api.call(ctx, 'bulkUpdateProducts', {
      input: [{ ...product, variants: [{ prices: [{ sellPrice: 1 }], images }] }],
    });
    await database.owner.execute(sql`
      update bulk_operation_image set state = 'FAILED', error = 'status 404', path = '0000'
      where merchant_id = ${ctx.merchantId}`);
    await database.owner.execute(sql`
      insert into bulk_operation_image
        (merchant_id, id, bulk_operation_id, product_id, variant_id, path, url, is_main, "order", state, error)
      select merchant_id, uuid_v7(), bulk_operation_id, product_id, variant_id, to_char(n, 'FM0000'), url, false, n, state, error
      from bulk_operation_image, generate_series(1, 1000) n where merchant_id = ${ctx.merchantId}`);
    const [operation] = (await list(ctx)).data as (Operation & { errors: object[] })[];
    expect(operation).toMatchObject({ imagesFailed: 1_001 });
    expect(operation!.errors).toHaveLength(1_000);
    expect([operation!.errors[0], operation!.errors.at(-1)]).toEqual([
      { path: '0000', message: 'status 404' },
      { path: '0999', message: 'status 404' },
    ]);
  });

  it.each([
    [[], ['PRODUCT']],
    [['read_customers'], ['PRODUCT', 'CUSTOMER']],
    [['write_inventories'], ['PRODUCT', 'STOCK_LOCATION', 'PRODUCT_STOCK_LOCATION']],
    [
      ['write_customers', 'read_inventories', 'read_webhooks'],
      ['PRODUCT', 'CUSTOMER', 'STOCK_LOCATION', 'PRODUCT_STOCK_LOCATION'],
    ],
  ] as const)('with read_products and %j lists what a revert left of %j', async (scopes, types) => {
    const ctx = await createContext(database.db, ['read_products', ...scopes]);
    const left = ['PRODUCT', 'CUSTOMER', 'STOCK_LOCATION', 'PRODUCT_STOCK_LOCATION'].map((type) => ({
      path: `${type}.${newId()}.name`,
      message: 'has changed since',
    }));
    await database.owner.execute(sql`
      with operation as (
        insert into bulk_operation (merchant_id, total, created, updated, deleted)
        values (${ctx.merchantId}, 2000, 0, 1996, 0) returning merchant_id, id)
      insert into revert_run
        (merchant_id, id, reverted_change_set_id, change_set_id, operation, is_ended, conflict_count, conflicts)
      select merchant_id, id, ${newId()}, ${newId()}, 'revertChanges', true, 4, ${JSON.stringify(left)}::json from operation`);
    const { data } = await list(ctx);
    const errors = left.filter(({ path }) => types.some((type) => path.startsWith(`${type}.`)));
    expect(data).toMatchObject([{ total: 2_000, updated: 1_996, errors }]);
    const one = await api.call(ctx, 'getBulkOperation', { id: data[0]!.id });
    expect(one.data!['getBulkOperation']).toEqual(data[0]);
  });
});
