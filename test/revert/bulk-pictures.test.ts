import type { ServerResponse } from 'node:http';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { fetchBulkImages } from '../../src/image/bulk/fetch-bulk-images.ts';
import { silent } from '../image/log.ts';
import { type PictureServer, startPictureServer } from '../image/picture-server.ts';
import { noise } from '../image/pictures.ts';
import { openImageDependencies } from '../image/shop.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { post } from '../support/post.ts';
import { waitForLocks } from '../support/wait-for-locks.ts';

let database: TestDatabase;
let parts: Awaited<ReturnType<typeof openImageDependencies>>;
let pictures: PictureServer;
let server: Awaited<ReturnType<typeof startOperations>>;

/** A picture that the test answers itself. */
const HELD = 77;
const requested = Promise.withResolvers<ServerResponse>();

beforeAll(async () => {
  database = await createDatabase();
  parts = await openImageDependencies();
  pictures = await startPictureServer((path, response) => {
    if (path !== `/${HELD}.png`) return false;
    requested.resolve(response);
    return true;
  });
  server = await startOperations(database.db);
});
afterAll(async () => {
  await server.stop();
  pictures.close();
  await parts.close();
  await database.drop();
});

async function callAs(ctx: Context, name: string, variables: object, headers = {}): Promise<any> {
  const { data, errors } = (await server.call(ctx, name, variables, headers)) as any;
  expect(errors).toBeUndefined();
  return data[name];
}

const entry = (sourceId: string, ...numbers: number[]) => ({
  sourceId,
  name: `Product ${sourceId} ${numbers.join()}`,
  type: 'PHYSICAL',
  categories: [],
  productVariantTypes: [],
  variants: [
    {
      sourceId: `${sourceId}-v`,
      isActive: true,
      prices: [{ sellPrice: 1 }],
      images: numbers.map((number, n) => ({ imageUrl: `${pictures.url}/${number}.png`, isMain: n === 0, order: n })),
    },
  ],
});

async function fetchPictures(): Promise<void> {
  await fetchBulkImages({ db: database.db, across: database.across, log: silent, ...parts });
}

it('takes the pictures of a bulk operation back, which the worker has attached', async () => {
  const ctx = await createContext(database.db);
  const call = async (name: string, variables: object, headers = {}) => await callAs(ctx, name, variables, headers);
  const send = async (...input: object[]): Promise<string> => {
    const id = await call('bulkUpdateProducts', { input }, { 'x-actor': 'Ada' });
    await fetchPictures();
    expect(await call('getBulkOperation', { id })).toMatchObject({ status: 'COMPLETED', imagesFailed: 0 });
    return id;
  };
  await send(entry('a', 1));
  const [old] = (await call('listProduct', {})).data;
  expect(old.variants[0].images).toHaveLength(1);

  const id = await send(entry('a', 2), entry('b', 3));
  const { data: changes } = await call('listChange', { recordType: 'PRODUCT', pagination: { limit: 2 } });
  for (const { changeSet } of changes)
    expect(changeSet).toMatchObject({
      operation: 'bulkUpdateProducts',
      actor: 'Ada',
      bulkOperationId: id,
      databaseRole: null,
    });

  expect((await call('revertChanges', { input: { bulkOperationId: id } })).recordCount).toBe(2);
  const { data: products } = await call('listProduct', {});
  expect(products).toHaveLength(1);
  expect(products[0]).toMatchObject({ name: old.name });
  expect(products[0].variants[0].images).toEqual(old.variants[0].images);
});

it('fetches no picture of a bulk operation that was taken back', async () => {
  const ctx = await createContext(database.db);
  const send = async (...input: object[]): Promise<string> => await callAs(ctx, 'bulkUpdateProducts', { input });
  const images = async (id: string) => {
    const { status, imagesTotal, imagesPending } = await callAs(ctx, 'getBulkOperation', { id });
    return { status, imagesTotal, imagesPending };
  };
  await send(entry('a'));
  const id = await send(entry('a', 1, 2));
  const other = await send(entry('b', 3));
  expect(await images(id)).toEqual({ status: 'RUNNING', imagesTotal: 2, imagesPending: 2 });
  await callAs(ctx, 'revertChanges', { input: { bulkOperationId: id } });
  expect(await images(id)).toEqual({ status: 'COMPLETED', imagesTotal: 0, imagesPending: 0 });
  await fetchPictures();
  expect(await images(other)).toEqual({ status: 'COMPLETED', imagesTotal: 1, imagesPending: 0 });
  const [{ variants }] = (await callAs(ctx, 'listProduct', { sourceId: { eq: 'a' } })).data;
  expect(variants[0].images ?? []).toEqual([]);
});

describe('a bulk operation that has only added addresses of pictures', () => {
  const started = async () => {
    const ctx = await createContext(database.db);
    await callAs(ctx, 'bulkUpdateProducts', { input: [entry('a')] });
    const [product] = (await callAs(ctx, 'listProduct', {})).data;
    const input = [{ ...entry('a', 1), id: product.id, name: product.name }];
    const id = (await callAs(ctx, 'bulkUpdateProducts', { input })) as string;
    return {
      ctx,
      id,
      revert: async (as = ctx) => await server.call(as, 'revertChanges', { input: { bulkOperationId: id } }),
    };
  };
  const imagesPending = async (ctx: Context, id: string) =>
    (await callAs(ctx, 'getBulkOperation', { id })).imagesPending;

  it('is taken back before they are fetched', async () => {
    const { ctx, id, revert } = await started();
    expect(await revert()).toEqual({
      data: {
        revertChanges: { changeSetId: null, recordCount: 0, bulkOperationId: null, records: [], erasedCustomerIds: [] },
      },
    });
    expect(await imagesPending(ctx, id)).toBe(0);
    await fetchPictures();
    const [{ variants }] = (await callAs(ctx, 'listProduct', {})).data;
    expect(variants[0].images ?? []).toEqual([]);
    expect(await revert()).toMatchObject({ errors: [{ extensions: { code: 'ARGUMENT_VALIDATION_ERROR' } }] });
  });

  it('is taken back by its change set too', async () => {
    const { ctx, id } = await started();
    const [operation] = await database.db.execute<{ changeSetId: string }>(
      sql`select change_set_id as "changeSetId" from bulk_operation where merchant_id = ${ctx.merchantId} and id = ${id}`,
    );
    const { recordCount } = await callAs(ctx, 'revertChanges', { input: operation });
    expect(recordCount).toBe(0);
    expect(await imagesPending(ctx, id)).toBe(0);
  });

  it('is not taken back by an app that may not write products', async () => {
    const { ctx, id, revert } = await started();
    const session = { ...ctx.session, scopes: new Set(['write_customers'] as const) };
    expect(await revert({ ...ctx, session })).toMatchObject({
      errors: [{ extensions: { code: 'UNAUTHORIZED', requiredScope: 'write_products' } }],
    });
    expect(await imagesPending(ctx, id)).toBe(1);
  });
});

describe('a picture that the worker attaches while the revert begins', () => {
  /** Executes `revert` while the change set is locked, attaches the pictures, and lets the revert go on. */
  async function attachedBefore(ctx: Context, changeSetId: string, revert: () => Promise<any>): Promise<any> {
    let reverted!: Promise<any>;
    await database.owner.transaction(async (transaction) => {
      await transaction.execute(
        sql`select from change_set where merchant_id = ${ctx.merchantId} and id = ${changeSetId} for update`,
      );
      reverted = revert();
      await waitForLocks(database.owner, 1);
      await fetchPictures();
    });
    return await reverted;
  }

  it('is taken back with the changes of other types', async () => {
    const ctx = await createContext(database.db);
    await callAs(ctx, 'bulkUpdateProducts', { input: [entry('a')] });
    const [product] = (await callAs(ctx, 'listProduct', {})).data;
    const input = { ...entry('a', 1), id: product.id, name: product.name };
    const { errors } = (
      await post(
        `${server.url}/api/v1/admin/graphql`,
        {
          query: `mutation ($input: [BulkUpdateProductsInput!]!) {
          saveProductBrand(input: { name: "Brand" }) { id } bulkUpdateProducts(input: $input) }`,
          variables: { input: [input] },
        },
        { token: ctx.merchantId },
      )
    ).body;
    expect(errors).toBeUndefined();
    const [{ changeSet }] = (await callAs(ctx, 'listChange', { recordType: 'PRODUCT_BRAND' })).data;
    const { recordCount } = await attachedBefore(
      ctx,
      changeSet.id,
      async () => await callAs(ctx, 'revertChanges', { input: { changeSetId: changeSet.id } }),
    );
    expect(recordCount).toBe(2);
    const [{ variants }] = (await callAs(ctx, 'listProduct', {})).data;
    expect(variants[0].images ?? []).toEqual([]);
  });

  it('is no conflict', async () => {
    const ctx = await createContext(database.db);
    await callAs(ctx, 'bulkUpdateProducts', { input: [entry('a')] });
    const id = await callAs(ctx, 'bulkUpdateProducts', { input: [entry('a', 1, HELD)] });
    const fetched = fetchPictures();
    const response = await requested.promise;
    await expect.poll(async () => (await callAs(ctx, 'getBulkOperation', { id })).imagesPending).toBe(1);
    let reverted!: Promise<any>;
    await database.owner.transaction(async (transaction) => {
      await transaction.execute(sql`select from bulk_operation_image where merchant_id = ${ctx.merchantId} for update`);
      response.end(await noise(HELD, 10).png().toBuffer());
      await waitForLocks(database.owner, 1);
      reverted = callAs(ctx, 'revertChanges', { input: { bulkOperationId: id } });
      await waitForLocks(database.owner, 2);
    });
    expect(await reverted).toMatchObject({ recordCount: 1 });
    await fetched;
    const [{ variants }] = (await callAs(ctx, 'listProduct', {})).data;
    expect(variants[0].images ?? []).toEqual([]);
  });

  it('is not waited for by a revert that has locked the row of the picture', async () => {
    const ctx = await createContext(database.db);
    await callAs(ctx, 'bulkUpdateProducts', { input: [entry('a')] });
    const id = await callAs(ctx, 'bulkUpdateProducts', { input: [entry('a', 1)] });
    let reverted!: Promise<any>;
    await database.owner.transaction(async (transaction) => {
      // Locks in the same order as the worker: first the product, then the row of the picture.
      await transaction.execute(sql`select from product where merchant_id = ${ctx.merchantId} for update`);
      reverted = callAs(ctx, 'revertChanges', { input: { bulkOperationId: id } });
      await waitForLocks(database.owner, 1);
      const rows = await transaction.execute(
        sql`select id from bulk_operation_image where merchant_id = ${ctx.merchantId} for update nowait`,
      );
      expect(rows).toHaveLength(1);
    });
    await reverted;
  });
});
