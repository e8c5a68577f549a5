import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { bulkUpdateProducts } from '../../../src/product/bulkUpdateProducts.ts';
import { MAX_STORED_BYTES, storedBytes } from '../../../src/product/stored/stored-size.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase, withoutTriggers } from '../../support/database.ts';

const SHORT_TEXT = 'ж'.repeat(255);

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

/** `values`: of each variant, by the names of the columns. */
async function insertProducts(count: number, variants: number, values: Record<string, SQL>): Promise<string[]> {
  const columns = sql.raw(Object.keys(values).join());
  let ids: string[] = [];
  await withoutTriggers(database.owner, async (owner) => {
    const rows = await owner.execute<{ id: string }>(sql`
      insert into product (merchant_id, id, name, type, description)
      select ${ctx.merchantId}, uuid_v7(), 'P', 'PHYSICAL', repeat('<p>text</p>', 400)
      from generate_series(1, ${count}::int) returning id`);
    ids = rows.map(({ id }) => id);
    await owner.execute(sql`
      insert into html_meta_data (merchant_id, id, target_id, target_type, slug)
      select ${ctx.merchantId}, uuid_v7(), id, 'PRODUCT', id::text from unnest(${`{${ids.join()}}`}::uuid[]) as id`);
    await owner.execute(sql`
      insert into variant (merchant_id, id, product_id, position, ${columns})
      select ${ctx.merchantId}, uuid_v7(), id, n, ${sql.join(Object.values(values), sql`, `)}
      from unnest(${`{${ids.join()}}`}::uuid[]) as id, generate_series(1, ${variants}::int) as n`);
  });
  return ids;
}

/** A list of as many objects, as JSON. */
const listOf = (count: number, object: object): SQL =>
  sql`${JSON.stringify(Array.from({ length: count }, () => object))}::json`;

const id = '01900000-0000-7000-8000-000000000000';
const ORDINARY = {
  sku: sql`'SKU-' || n`,
  source_id: sql`'gid://shop/ProductVariant/' || n`,
  barcode_list: sql`array['4006381333931']`,
  prices: listOf(3, { sellPrice: 19.9, buyPrice: 9.9, discountPrice: null, currency: null, priceListId: id }),
  images: listOf(3, {
    imageId: id,
    fileName: 'p.jpg',
    isMain: true,
    isVideo: null,
    order: 0,
    sourceUrl: 'x'.repeat(80),
  }),
  variant_value_ids: listOf(2, { variantTypeId: id, variantValueId: id }),
  attributes: listOf(2, { productAttributeId: id, productAttributeOptionId: id, value: null, imageIds: null }),
};
const SHORT_TEXTS = Object.fromEntries(
  ['sku', 'source_id', 'hs_code', 'file_id', 'subscription_plan_id'].map((name) => [name, sql`${SHORT_TEXT}`]),
);

describe('the stored products that a request changes', () => {
  it.each([
    ['1,000 products with 20 variants', 1_000, 20],
    ['a product with 1,000 variants', 1, 1_000],
  ])('may be %s as shops have them', async (_, count, variants) => {
    const ids = await insertProducts(count, variants, ORDINARY);
    expect(await storedBytes(ctx, ids, { ids: [], others: null })).toBeLessThan(MAX_STORED_BYTES);
  });

  it.each([
    ['short texts', SHORT_TEXTS, 20],
    ['rows', { sku: sql`null` }, 120],
  ])('are refused before they are read if they have too many %s', async (_, values, count) => {
    const ids = await insertProducts(count, 1_000, values);
    const members = { name: 'P', type: 'PHYSICAL', categories: [], productVariantTypes: [], variants: [] };
    const input = ids.map((id) => ({ ...members, id }));
    await expect(bulkUpdateProducts(ctx, { input: input as never })).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: {
        issues: [{ path: ['input'], message: expect.stringContaining('send fewer products at once') as string }],
      },
    });
    await bulkUpdateProducts(ctx, { input: input.slice(0, 2) as never });
  });
});
