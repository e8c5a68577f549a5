import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { saveCategory } from '../../../src/category/saveCategory.ts';
import type { Context } from '../../../src/context.ts';
import { bulkUpdateProducts } from '../../../src/product/bulkUpdateProducts.ts';
import { updateAllSearchDocuments } from '../../../src/product/search/search-documents.ts';
import { saveProduct } from '../../../src/product/saveProduct.ts';
import { startPictureServer } from '../../image/picture-server.ts';
import { plainProduct } from '../../product/products.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase } from '../../support/database.ts';
import { waitForLocks } from '../../support/wait-for-locks.ts';
import { startTestService } from '../../support/whole-service.ts';

const PICTURES = 40;
const PRODUCTS = 10;
/** A statement of the worker may take 15 s. */
const SHOWN_WITHIN_MS = 4_000;
const TEST_TIMEOUT_MS = 90_000;

/** A product with pictures that the worker fetches, and whose row is locked until the returned function is called. */
async function lockProductWithPictures(ctx: Context, url: string): Promise<() => Promise<void>> {
  const images = Array.from({ length: PICTURES }, (_, n) => ({
    imageUrl: `${url}/${20 + n}.png`,
    isMain: n === 0,
    order: n,
  }));
  const variants = [{ sourceId: 'v', isActive: true, deleted: false, prices: [{ sellPrice: 1 }], images }];
  const product = { sourceId: 'p', name: 'P', type: 'PHYSICAL', categories: [], productVariantTypes: [] };
  await bulkUpdateProducts(ctx, { input: [{ ...product, deleted: false, variants }] as never });
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = ctx.db.transaction(async (db) => {
    await db.execute(sql`set local idle_in_transaction_session_timeout = 0`);
    await db.execute(sql`select from product where merchant_id = ${ctx.merchantId} for update`);
    locked.resolve();
    await released.promise;
  });
  await Promise.race([locked.promise, holding]);
  return async () => {
    released.resolve();
    await holding;
  };
}

it(
  'shows products in the automated category of a merchant soon, while another one has locked what the worker changes',
  async (test) => {
    skipOnCluster(test, 'locks are waited for on the node of the merchant');
    const pictures = await startPictureServer();
    const service = await startTestService({}, 'worker');
    try {
      const ctx = await createContext(service.db);
      const conditions = [{ conditionType: 'PRODUCT_NAME', valueList: ['shirt'] }];
      await saveCategory(ctx, { input: { name: 'shirts', isAutomated: true, conditions } as never }, { id: {} });
      const release = await lockProductWithPictures(await createContext(service.db), pictures.url);
      await waitForLocks(service.db, 1);
      for (let count = 1; count <= PRODUCTS; count++) {
        await saveProduct(ctx, { input: plainProduct(`shirt ${count}`) as never }, { id: {} });
        await expect
          .poll(
            async () =>
              await service.db.execute(
                sql`select from category_product where merchant_id = ${ctx.merchantId} and by_conditions`,
              ),
            { timeout: SHOWN_WITHIN_MS },
          )
          .toHaveLength(count);
      }
      await release();
    } finally {
      await service.stop();
      pictures.close();
    }
  },
  TEST_TIMEOUT_MS,
);

it('writes the search documents of a merchant soon, while another one has locked a new product', async (test) => {
  skipOnCluster(test, 'locks are waited for on the node of the merchant');
  const database = await createDatabase();
  try {
    const [locking, ctx] = [await createContext(database.db), await createContext(database.db)];
    const { signal } = new AbortController();
    for (const own of [locking, ctx]) await saveProduct(own, { input: plainProduct('shirt') as never }, { id: {} });
    await updateAllSearchDocuments(database, signal);
    await database.owner.execute(sql`delete from product_search`);
    await database.owner.execute(
      sql`insert into product_search_pending (merchant_id, product_id) select merchant_id, id from product`,
    );
    const begunMs = performance.now();
    await locking.db.transaction(async (db) => {
      await db.execute(sql`select from product where merchant_id = ${locking.merchantId} for update`);
      await expect(updateAllSearchDocuments(database, signal)).rejects.toThrow(locking.merchantId);
    });
    expect(performance.now() - begunMs).toBeLessThan(SHOWN_WITHIN_MS);
    const written = await database.db.execute<{ id: string }>(sql`select merchant_id as id from product_search`);
    expect(written.map(({ id }) => id)).toEqual([ctx.merchantId]);
    await updateAllSearchDocuments(database, signal);
    expect(await database.db.execute(sql`select from product_search`)).toHaveLength(2);
  } finally {
    await database.drop();
  }
});
