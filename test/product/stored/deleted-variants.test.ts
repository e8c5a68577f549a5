import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { bulkUpdateProducts } from '../../../src/product/bulkUpdateProducts.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { updateProduct } from '../../../src/product/updateProduct.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase, withoutTriggers } from '../../support/database.ts';
import { ON_NODES, rowsRead } from '../../support/rows-read.ts';
import { allOfProduct, plainProduct, productSaver } from '../products.ts';

/** The deleted variants of a client that has replaced 1,000 variants 50 times. */
const DELETED = 50_000;
/** Rows of variants that a read or save of a product with one variant may read. */
const MAX_READ = 100;
const id = { id: {} };

let database: TestDatabase;
let ctx: Context;
/** The product with many deleted variants. `oldest` and `newest` are ids of deleted variants. */
let full: { id: string; variants: { id: string }[] };
let oldest: string;
let newest: string;

beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
  const save = productSaver(ctx);
  full = await save(plainProduct('Full', 'live'));
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
  it.for<[string, () => Promise<unknown>]>([
    ['a page', async () => await listProduct(ctx, { id: { eq: full.id } }, { data: allOfProduct })],
    ['updateProduct', async () => await updateProduct(ctx, { id: full.id, patch: { name: 'Patched' } }, id)],
    [
      'saveProduct',
      async () =>
        await productSaver(ctx)({
          id: full.id,
          name: 'Saved',
          type: 'PHYSICAL',
          variants: [{ id: full.variants[0]!.id, isActive: true, prices: [] }],
        }),
    ],
  ])('are not read by %s', async ([_name, run], { skip }) => {
    skip(database.placement.needsRelay, ON_NODES);
    const read = await rowsRead(database, 'variant', run);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(MAX_READ);
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
