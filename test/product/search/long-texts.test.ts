import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { saveProduct } from '../../../src/product/saveProduct.ts';
import { updateAllSearchDocuments } from '../../../src/product/search/search-documents.ts';
import { searchProducts } from '../../../src/product/searchProducts.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { waitForLocks } from '../../support/wait-for-locks.ts';
import { until } from '../../worker/webhooks/receiver.ts';
import { plainProduct } from '../products.ts';

/** One call writes documents until their texts have 256 KiB. */
const LONG_TEXT = 'Weatherproof jacket with taped seams. '.repeat(1_700);
const PRODUCTS = 200;
const WRITTEN_WITHIN_MS = 20_000;
const SEARCHED_WITHIN_MS = 12_000;
/** Longer than a search begins to write documents. */
const SLOW_BATCH_MS = 5_500;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

const insertLong = async (count: number) =>
  await database.db.execute(sql`
    insert into product (merchant_id, name, type, description)
    select ${ctx.merchantId}, 'Jacket ' || n, 'PHYSICAL', ${LONG_TEXT} from generate_series(1, ${count}::int) as n`);
const found = async (ctx: Context, query: string) =>
  (await searchProducts(ctx, { input: { query } }, { totalCount: {} })).totalCount;

async function pendingCount({ merchantId }: Context): Promise<number> {
  return (await database.db.execute(sql`select from product_search_pending where merchant_id = ${merchantId}`)).length;
}

it('are written a few products at a time', async () => {
  await insertLong(12);
  const written = await database.db.execute<{ taken: number }>(
    sql`select product_search_write_pending(${ctx.merchantId}::uuid, 500) as taken`,
  );
  expect([written, await pendingCount(ctx)]).toEqual([[{ taken: 5 }], 7]);
  await updateAllSearchDocuments(database, AbortSignal.timeout(60_000));
  expect([await pendingCount(ctx), await found(ctx, 'weatherproof')]).toEqual([0, 12]);
});

it('are all found by a search right after they were saved', async () => {
  await insertLong(12);
  expect([await found(ctx, 'weatherproof'), await pendingCount(ctx)]).toEqual([12, 0]);
});

it('are written in the order in which the products were changed', async () => {
  await insertLong(7);
  await updateAllSearchDocuments(database, AbortSignal.timeout(60_000));
  await saveProduct(ctx, { input: plainProduct('Kettle') as never }, { id: {} });
  await database.db.execute(sql`
    update product set description = description || ' changed' where merchant_id = ${ctx.merchantId} and name <> 'Kettle'`);
  await database.db.execute(sql`select product_search_write_pending(${ctx.merchantId}::uuid, 500)`);
  const pending = await database.db.execute(sql`
    select from product_search_pending join product using (merchant_id)
    where merchant_id = ${ctx.merchantId} and product.id = product_id and product.name = 'Kettle'`);
  expect([pending.length, (await pendingCount(ctx)) > 0]).toEqual([0, true]);
});

it('do not delay the documents of products that another merchant saves meanwhile', async () => {
  const other = await createContext(database.db);
  await insertLong(PRODUCTS);
  const stopping = new AbortController();
  const updating = updateAllSearchDocuments(database, stopping.signal);
  await until(
    async () => await pendingCount(ctx),
    (count) => count < PRODUCTS,
    WRITTEN_WITHIN_MS,
  );
  await saveProduct(other, { input: plainProduct('Kettle') as never }, { id: {} });
  await until(
    async () => await pendingCount(other),
    (count) => count === 0,
    WRITTEN_WITHIN_MS,
  );
  expect(await pendingCount(ctx)).toBeGreaterThan(0);
  stopping.abort();
  await updating;
});

it('are searched as they are while another process takes long to write them', async () => {
  await saveProduct(ctx, { input: plainProduct('Copper pan') as never }, { id: {} });
  expect(await found(ctx, 'copper')).toBe(1);
  await saveProduct(ctx, { input: plainProduct('Copper kettle') as never }, { id: {} });
  await database.db.transaction(async (transaction) => {
    await transaction.execute(sql`select product_search_write_pending(${ctx.merchantId}::uuid, 500)`);
    const begunMs = performance.now();
    expect(await found(ctx, 'copper')).toBe(1);
    expect(performance.now() - begunMs).toBeLessThan(SEARCHED_WITHIN_MS);
  });
  expect(await found(ctx, 'copper')).toBe(2);
});

it('are written by a search that has begun in time, however long it takes', async () => {
  const { id: productId } = await saveProduct(ctx, { input: plainProduct('Copper pan') as never }, { id: {} });
  const searched = await database.db.transaction(async (transaction) => {
    // The search has the pending row, and waits for this document.
    await transaction.execute(sql`
      insert into product_search (merchant_id, product_id, document) values (${ctx.merchantId}, ${productId}, '')`);
    const count = found(ctx, 'copper');
    await waitForLocks(database.owner, 1);
    await wait(SLOW_BATCH_MS);
    return { count };
  });
  expect(await searched.count).toBe(1);
}, 30_000);
