import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { bulkUpdateProducts } from '../../../src/product/bulkUpdateProducts.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { updateProduct } from '../../../src/product/updateProduct.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase, withoutTriggers } from '../../support/database.ts';
import { shortestMs } from '../../support/shortest-ms.ts';
import { allOfProduct, plainProduct, productSaver } from '../products.ts';

/** The deleted variants of a client that has replaced 1,000 variants 50 times. */
const DELETED = 50_000;
/** Times the duration for a product without deleted variants. It was 40 when all deleted variants were read. */
const MAX_TIMES_SLOWER = 8;
const id = { id: {} };

let database: TestDatabase;
let ctx: Context;
/** The product with many deleted variants. `oldest` and `newest` are ids of deleted variants. */
let full: { id: string; variants: { id: string }[] };
let plain: { id: string; variants: { id: string }[] };
let oldest: string;
let newest: string;

beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
  const save = productSaver(ctx);
  [full, plain] = [await save(plainProduct('Full', 'live')), await save(plainProduct('Plain'))];
  const prices = [{ sellPrice: 5, buyPrice: null, discountPrice: null, currency: null, priceListId: null }];
  await withoutTriggers(
    database.owner,
    async (owner) =>
      await owner.execute(sql`
        insert into variant (merchant_id, id, product_id, position, sku, prices, deleted)
        select ${ctx.merchantId}, ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ${full.id}, n, 'sku ' || n,
          ${JSON.stringify(prices)}, true
        from generate_series(1, ${sql.raw(String(DELETED))}) as n`),
  );
  [oldest, newest] = [deletedId(1), deletedId(DELETED)];
  await database.owner.execute(sql`analyze variant`);
});
afterAll(() => database.drop());

const deletedId = (n: number): string => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;

async function variantsOf(productId: string): Promise<string[]> {
  const { data } = await listProduct(ctx, { id: { eq: productId } }, { data: { variants: id } });
  return data[0]!.variants.map((variant) => variant.id);
}

const bulkInput = (product: { id: string }, variant: object, name: string) => {
  const members = { type: 'PHYSICAL', categories: [], productVariantTypes: [] };
  return { input: [{ ...members, id: product.id, name, variants: [variant] }] } as never;
};

describe('the deleted variants of a product', () => {
  it.each<[string, (product: typeof full, name: string) => Promise<unknown>]>([
    ['a page', async ({ id }) => await listProduct(ctx, { id: { eq: id } }, { data: allOfProduct })],
    ['updateProduct', async ({ id }, name) => await updateProduct(ctx, { id, patch: { name } }, { id: {} })],
    [
      'saveProduct',
      async ({ id, variants }, name) =>
        await productSaver(ctx)({
          id,
          name,
          type: 'PHYSICAL',
          variants: [{ id: variants[0]!.id, isActive: true, prices: [] }],
        }),
    ],
  ])('do not slow down %s', async (_name, run) => {
    let number = 0;
    const usual = await shortestMs(async () => await run(plain, `Plain ${number++}`));
    expect(await shortestMs(async () => await run(full, `Full ${number++}`))).toBeLessThan(usual * MAX_TIMES_SLOWER);
  });

  it('are restored by their id, also very old ones', async () => {
    const live = full.variants[0]!.id;
    await updateProduct(ctx, { id: full.id, patch: { variants: [{ id: oldest, deleted: false }] } }, id);
    expect(await variantsOf(full.id)).toEqual([live, oldest]);
    await productSaver(ctx)({ ...plainProduct('Full'), id: full.id, variants: [live, newest].map(sent) });
    expect(await variantsOf(full.id)).toEqual([live, newest]);
    await bulkUpdateProducts(ctx, bulkInput(full, { id: oldest, prices: [], deleted: false }, 'Full'));
    expect(new Set(await variantsOf(full.id))).toEqual(new Set([live, newest, oldest]));
  });

  it('are found by sku in a bulk request among the newest 1,000', async () => {
    const before = await variantsOf(full.id);
    const prices = [{ sellPrice: 5 }];
    await bulkUpdateProducts(ctx, bulkInput(full, { sku: `sku ${DELETED - 1}`, prices, deleted: false }, 'Full'));
    const restored = (await variantsOf(full.id)).filter((variant) => !before.includes(variant));
    expect(restored).toEqual([newest.replace(/\d{5}$/, String(DELETED - 1))]);
    await bulkUpdateProducts(ctx, bulkInput(full, { sku: 'sku 2', prices, deleted: false }, 'Full'));
    const [added] = (await variantsOf(full.id)).filter((variant) => ![...before, ...restored].includes(variant));
    expect(added).not.toBe(oldest.replace(/1$/, '2'));
  });
});

function sent(variantId: string) {
  return { id: variantId, isActive: true, prices: [] };
}
