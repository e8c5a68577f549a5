import { setTimeout as wait } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { startServiceProcess, type ServiceProcess } from '../../support/service.ts';
import { until } from '../../worker/webhooks/receiver.ts';

/** Less than the interval at which the worker searches for changes without a notice. */
const SETTLED_WITHIN_MS = 15_000;
/** A transaction that is open while a category becomes automated, and how soon its products are shown afterwards. */
const OVERLAP_MS = 5_000;
const SHOWN_WITHIN_MS = 5_000;

type Saved = { id: string; variants: { id: string }[] };

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
let worker: ServiceProcess;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  ctx = await createContext(database.db);
  worker = await startServiceProcess(database.url, { ROLE: 'worker' });
});
afterAll(async () => {
  await worker?.kill();
  await api.stop();
  await database.drop();
});

async function save(operation: string, args: object): Promise<Saved> {
  const { data, errors } = await api.call(ctx, operation, args);
  expect(errors).toBeUndefined();
  return data![operation] as Saved;
}

async function listed(categoryId: string): Promise<string> {
  const { data } = await listProduct(ctx, { categoryIds: { eq: categoryId } }, { data: { name: {} } });
  return data.map(({ name }) => name).join();
}

// Both wait at the same time, each with a merchant of its own.
it.concurrent('follows each change through the API and by plain SQL, without waiting for the next interval', async () => {
  const brand = await save('saveProductBrand', { input: { name: 'Acme' } });
  const conditions = [
    { conditionType: 'PRODUCT_BRAND', valueList: [brand.id] },
    { conditionType: 'PRICE_RANGE', valueList: ['1-5'] },
  ];
  const category = { name: 'Cheap', isAutomated: true, shouldMatchAllConditions: true, conditions };
  const { id: categoryId } = await save('saveCategory', { input: category });
  const mug = await save('saveProduct', {
    input: { name: 'Mug', type: 'PHYSICAL', brandId: brand.id, variants: [{ prices: [{ sellPrice: 9 }] }] },
  });
  const price = { productId: mug.id, variantId: mug.variants[0]!.id };
  const set = async (table: string, members: SQL) =>
    await database.db.execute(
      sql`update ${sql.identifier(table)} set ${members} where merchant_id = ${ctx.merchantId}`,
    );
  const dear = [{ conditionType: 'PRICE_RANGE', valueList: ['100-200'] }];
  const changes: [name: string, change: () => Promise<unknown>, members: string][] = [
    [
      'saveVariantPrices',
      () => save('saveVariantPrices', { input: { variantPriceInputs: [{ ...price, price: { sellPrice: 4 } }] } }),
      'Mug',
    ],
    ['brand by SQL', () => set('product', sql`brand_id = null`), ''],
    ['updateProduct', () => save('updateProduct', { id: mug.id, patch: { brandId: brand.id } }), 'Mug'],
    ['saveCategory', () => save('saveCategory', { input: { ...category, id: categoryId, conditions: dear } }), ''],
    ['prices by SQL', () => set('variant', sql`prices = '[{"sellPrice":150}]'`), 'Mug'],
    ['conditions by SQL', () => set('category', sql`conditions = ${JSON.stringify(conditions)}::json`), ''],
  ];
  for (const [name, change, expected] of changes) {
    expect(await listed(categoryId)).not.toBe(expected);
    await change();
    const committedMs = performance.now();
    await until(
      async () => await listed(categoryId),
      (names) => names === expected,
      SETTLED_WITHIN_MS,
    );
    console.log(`${name}: settled ${Math.round(performance.now() - committedMs)} ms after it was committed`);
  }
});

it.concurrent('shows a product of a transaction that overlaps a new automated category as soon as others', async () => {
  const conditions = [{ conditionType: 'PRODUCT_NAME', valueList: ['late lamp'] }];
  const own = await createContext(database.db);
  const shown = async (id: string): Promise<number> =>
    (await listProduct(own, { categoryIds: { eq: id } }, { data: { id: {} } })).data.length;
  let categoryId = '';
  await database.db.transaction(async (db) => {
    await db.execute(
      sql`insert into product (merchant_id, name, type) values (${own.merchantId}, 'Late lamp', 'PHYSICAL')`,
    );
    const { data } = await api.call(own, 'saveCategory', { input: { name: 'Lamps', isAutomated: true, conditions } });
    categoryId = (data!['saveCategory'] as Saved).id;
    await wait(OVERLAP_MS);
    expect(await shown(categoryId)).toBe(0);
  });
  await until(
    async () => await shown(categoryId),
    (count) => count === 1,
    SHOWN_WITHIN_MS,
  );
});
