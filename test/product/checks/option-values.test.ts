import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { sentBack } from '../../support/sent-back.ts';
import { entry, type Feeds, feedsOf, size, sizes } from '../bulk/feeds.ts';
import { variantTypeOf } from '../products.ts';

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
let shop: Feeds;
beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
});
beforeEach(async () => {
  ctx = await createContext(database.db);
  shop = feedsOf(server.call, ctx);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const prices = [{ sellPrice: 1 }];
const required = { name: 'p', type: 'PHYSICAL' };
const refusal = (...path: unknown[]) => [
  { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['input', ...path] }] } },
];

/**
 * Makes two variant types, with the values 0 and 1, and 2 and 3. Returns a variant for each list of indexes of values.
 */
async function variantsWith(...combinations: number[][]): Promise<Record<string, unknown>[]> {
  const types = await Promise.all([variantTypeOf(ctx, 'a', 'b'), variantTypeOf(ctx, 'c', 'd')]);
  const values = types.flatMap(({ id, values }) =>
    values.map((value) => ({ variantTypeId: id, variantValueId: value.id })),
  );
  return combinations.map((numbers) => ({ prices, variantValueIds: numbers.map((number) => values[number]) }));
}

describe('the option values of a variant', () => {
  it('must differ from those of every other variant of the product, in any order', async () => {
    const variants = await variantsWith([0, 2], [1, 2], [2, 0]);
    const { errors } = await server.call(ctx, 'saveProduct', { input: { ...required, variants } });
    expect(errors).toMatchObject(refusal('variants', 2, 'variantValueIds'));
    expect(await shop.products()).toEqual([]);
    const saved = await shop.save('saveProduct', { ...required, variants: variants.slice(0, 2) });
    const [first, second] = saved.variants.map((variant) => ({ id: variant.id, prices: [] }));
    const taken = { ...second, variantValueIds: variants[0]!['variantValueIds'] };
    const update = await server.call(ctx, 'saveProduct', {
      input: { ...required, id: saved.id, variants: [first, taken] },
    });
    expect(update.errors).toMatchObject(refusal('variants', 1, 'variantValueIds'));
  });

  it('can be exchanged between variants, be those of a deleted variant, and be empty', async () => {
    const variants = await variantsWith([0], [1], [], []);
    const { id, variants: saved } = await shop.save('saveProduct', { ...required, variants });
    const values = saved.map((variant) => variant['variantValueIds']);
    const exchanged = [1, 0].map((other, index) => ({
      id: saved[index]!.id,
      prices: [],
      variantValueIds: values[other],
    }));
    const swapped = await shop.save('saveProduct', { ...required, id, variants: exchanged });
    expect(swapped.variants.map((variant) => variant['variantValueIds'])).toEqual([values[1], values[0]]);
    const replaced = [{ prices, variantValueIds: values[0] }, exchanged[0]];
    expect((await shop.save('saveProduct', { ...required, id, variants: replaced })).variants).toHaveLength(2);
  });

  it('may be equal if they are stored so and the product is sent back', async () => {
    const variants = await variantsWith([0], [1]);
    const { id } = await shop.save('saveProduct', { ...required, variants });
    await database.db.execute(sql`
      update variant set variant_value_ids = first.variant_value_ids from variant as first
      where variant.merchant_id = ${ctx.merchantId} and variant.product_id = ${id}
        and first.merchant_id = ${ctx.merchantId} and first.product_id = ${id} and first.position = 0`);
    const before = await shop.product();
    expect(await shop.save('saveProduct', sentBack('saveProduct', before))).toEqual(before);
  });

  it('are unique in a bulk request too, also among variants that it does not contain', async () => {
    await shop.feed(
      entry(
        'p',
        [
          { ...size('S'), sourceId: 's', prices },
          { ...size('M'), sourceId: 'm', prices },
        ],
        sizes('S', 'M'),
      ),
    );
    const before = await shop.product();
    const taken = await server.call(ctx, 'bulkUpdateProducts', {
      input: [entry('p', [{ ...size('S'), sourceId: 'm', prices }], sizes('S'))],
    });
    expect(taken.errors).toMatchObject(refusal(0, 'variants', 0, 'variantValues'));
    const twice = await server.call(ctx, 'bulkUpdateProducts', {
      input: [
        entry(
          'other',
          [
            { ...size('S'), prices },
            { ...size('S'), prices },
          ],
          sizes('S'),
        ),
      ],
    });
    expect(twice.errors).toMatchObject(refusal(0, 'variants', 1, 'variantValues'));
    expect(await shop.product()).toEqual(before);
  });
});
