import fc from 'fast-check';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/sql/id.ts';
import type { ProductConditions } from '../../../src/product/filter/product-filters.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase, withoutTriggers } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { seeds } from '../../support/random.ts';
import { waitForLocks } from '../../support/wait-for-locks.ts';
import { argsOf, type Condition, conditionsOn, oracleOf } from './random-conditions.ts';
import { createRandomShop, type RandomShop } from './random-shop.ts';

const SEED = Number(process.env.FILTER_SEED ?? seeds(1)[0]);
const DRAWN = Number(process.env.FILTER_RUNS ?? 60);
const LIMIT = 200;

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let shop: RandomShop;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  shop = await createRandomShop(database, SEED);
  // Rows of a second merchant, which must never be found or counted.
  await createRandomShop(database, SEED);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

async function listed(args: ProductConditions): Promise<string[]> {
  const page = await listProduct(shop.ctx, { ...args, pagination: { limit: LIMIT } }, { count: {}, data: { id: {} } });
  expect(page.count).toBe(page.data.length);
  return page.data.map(({ id }) => id).sort();
}

async function expected(conditions: readonly Condition[]): Promise<string[]> {
  const rows = await database.db.execute<{ id: string }>(sql`
    select p.id from product p where p.merchant_id = ${shop.ctx.merchantId} and ${oracleOf(conditions)} order by p.id`);
  return rows.map(({ id }) => id);
}

describe('the conditions of listProduct', () => {
  it(`find the same as plain SQL, in ${DRAWN} combinations (seed ${SEED})`, async () => {
    const drawn = fc.sample(conditionsOn(shop), { seed: SEED, numRuns: DRAWN });
    let found = 0;
    for (const conditions of drawn) {
      const ids = await listed(argsOf(conditions));
      expect(ids, JSON.stringify(argsOf(conditions))).toEqual(await expected(conditions));
      found += ids.length;
    }
    // Enough products must be found, or the conditions would be too narrow to show a fault.
    expect(found).toBeGreaterThan(DRAWN * 2);
  });

  it('hold together: an id and a list without it find nothing, also if the list is empty', async () => {
    const { brands, categories, tags, channels, attributes } = shop;
    for (const [name, [id, other]] of Object.entries({
      brandId: brands,
      categoryIds: categories,
      tagIds: tags,
      salesChannelIds: channels,
      attributeId: attributes,
    })) {
      const found = await listed({ [name]: { eq: id } });
      expect(found, name).not.toEqual([]);
      expect(await listed({ [name]: { eq: id, in: [other, id] } }), name).toEqual(found);
      expect(await listed({ [name]: { eq: id, in: [] } }), name).toEqual([]);
      expect(await listed({ [name]: { eq: null, in: [id] } }), name).toEqual(found);
    }
  });
});

/** A table has the prices that conditions compare. It follows each change of the variants, also by plain SQL. */
describe('the prices of a product', () => {
  it('follow the changes of its variants', async () => {
    const ctx = await createContext(database.db);
    const productId = newId();
    const [list, variants] = [newId(), [newId(), newId()]];
    const run = async (statement: ReturnType<typeof sql>) => await database.db.execute(statement);
    const prices = (...rows: object[]) => sql`${JSON.stringify(rows)}::json`;
    const stored = async () =>
      await database.db.execute<{ list: string | null; prices: string }>(sql`
        select nullif(price_list_id, '00000000-0000-0000-0000-000000000000') as list, array_to_string(array(select trim_scale(p) from unnest(prices) as p), ' ') as prices,
          lowest = prices[1] and highest = prices[cardinality(prices)] as "isBounded"
        from product_price where merchant_id = ${ctx.merchantId} and product_id = ${productId} order by list nulls first`);
    const base = (prices: string) => ({ list: null, prices, isBounded: true });
    await run(
      sql`insert into product (merchant_id, id, name, type) values (${ctx.merchantId}, ${productId}, 'Mug', 'PHYSICAL')`,
    );
    await run(sql`
      insert into variant (merchant_id, id, product_id, position, prices) values
        (${ctx.merchantId}, ${variants[0]!}, ${productId}, 0, ${prices({ sellPrice: 9.5, discountPrice: 7.25 }, { sellPrice: 3, priceListId: list })}),
        (${ctx.merchantId}, ${variants[1]!}, ${productId}, 1, ${prices({ sellPrice: 20 }, { sellPrice: 'free' }, { sellPrice: 1, priceListId: 'x' })})`);
    expect(await stored()).toEqual([base('7.25 20'), { list, prices: '3', isBounded: true }]);
    const change = async (set: ReturnType<typeof sql>, id: string) =>
      await run(sql`update variant set ${set} where merchant_id = ${ctx.merchantId} and id = ${id}`);
    await change(sql`prices = ${prices({ sellPrice: 9.5 })}`, variants[0]!);
    expect(await stored()).toEqual([base('9.5 20')]);
    await change(sql`deleted = true`, variants[1]!);
    expect(await stored()).toEqual([base('9.5')]);
    await change(sql`deleted = false, prices = ${prices({ sellPrice: 0 })}`, variants[1]!);
    expect(await stored()).toEqual([base('0 9.5')]);
    await run(sql`delete from variant where merchant_id = ${ctx.merchantId} and id = ${variants[0]!}`);
    expect(await stored()).toEqual([base('0')]);
    await run(sql`delete from product where merchant_id = ${ctx.merchantId} and id = ${productId}`);
    expect(await stored()).toEqual([]);
  });

  it('are compared without the rounding errors of the bounds', async () => {
    const ctx = await createContext(database.db);
    const variants = [{ prices: [{ sellPrice: 0.3 }] }];
    await api.call(ctx, 'saveProduct', { input: { name: 'Cheap', type: 'PHYSICAL', variants } });
    const within = async (price: object) => (await listProduct(ctx, { price }, { count: {} })).count;
    const [above, below] = [0.1 + 0.2, 0.3 - 2 ** -54];
    expect([above, below]).not.toContain(0.3);
    expect([await within({ gte: above }), await within({ gt: below }), await within({ lte: below })]).toEqual([
      1, 0, 1,
    ]);
    expect([await within({ gte: above, lte: below }), await within({ lt: above })]).toEqual([1, 0]);
    expect([await within({ gt: 0.2999999 }), await within({ gte: 0.3000001 }), await within({ lt: 1e300 })]).toEqual([
      1, 0, 1,
    ]);
  });

  it('are those after both of two transactions that change different variants', async () => {
    const ctx = await createContext(database.db);
    const [productId, variants] = [newId(), [newId(), newId()]];
    const rows = JSON.stringify([{ sellPrice: 5 }]);
    await database.db.execute(
      sql`insert into product (merchant_id, id, name, type) values (${ctx.merchantId}, ${productId}, 'Mug', 'PHYSICAL')`,
    );
    for (const [position, id] of variants.entries())
      await database.db.execute(
        sql`insert into variant (merchant_id, id, product_id, position, prices) values (${ctx.merchantId}, ${id}, ${productId}, ${position}, ${rows}::json)`,
      );
    const change = (db: Pick<typeof database.db, 'execute'>, id: string, sellPrice: number) =>
      db.execute(
        sql`update variant set prices = ${JSON.stringify([{ sellPrice }])}::json where merchant_id = ${ctx.merchantId} and id = ${id}`,
      );
    let second: Promise<unknown> | undefined;
    await database.db.transaction(async (transaction) => {
      await change(transaction, variants[0]!, 1);
      second = change(database.owner, variants[1]!, 9);
      await waitForLocks(database.owner, 1);
    });
    await second;
    const within = async (price: object) => (await listProduct(ctx, { price }, { count: {} })).count;
    expect([await within({ lte: 1 }), await within({ gte: 9 }), await within({ gt: 1, lt: 9 })]).toEqual([1, 1, 0]);
  });
});

describe('bad input', () => {
  it.each<[string, object, (string | number)[]]>([
    ['a long id', { price: { priceListId: 'x'.repeat(256) } }, ['price', 'priceListId']],
    [
      'a long list',
      { stock: { inStock: true, stockLocationIds: Array(1_001).fill('x') } },
      ['stock', 'stockLocationIds'],
    ],
    ['a long id of a location', { stock: { stockLocationIds: ['x'.repeat(256)] } }, ['stock', 'stockLocationIds', 0]],
    ['a time that is no time', { createdAt: { gte: 9e15 } }, ['createdAt', 'gte']],
    [
      'a long list of categories',
      { categoryIds: { in: Array(1_001).fill('x'), includeSubcategories: true } },
      ['categoryIds', 'in'],
    ],
  ])('names the member: %s', async (_, args, path) => {
    const { errors } = await api.call(shop.ctx, 'listProduct', args);
    expect(errors).toMatchObject([{ extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path }] } }]);
  });

  it.each([{ type: { eq: 'OTHER' } }, { type: { in: ["'; drop table product"] } }, { price: { gte: '1' } }])(
    'is refused by the types: %o',
    async (args) => {
      const { errors } = await api.call(shop.ctx, 'listProduct', args);
      expect(errors).toMatchObject([
        {
          extensions: {
            code: expect.stringMatching(/ARGUMENT_VALIDATION_ERROR|GRAPHQL_VALIDATION_FAILED|BAD_USER_INPUT/),
          },
        },
      ]);
    },
  );

  it('in the place of an id finds the same as an unknown id', async () => {
    for (const id of ['x', newId(), '', "'", '00000000-0000-0000-0000-000000000000']) {
      expect(await listed({ price: { priceListId: id, gte: 0 } }), id).toEqual([]);
      expect(await listed({ stock: { inStock: true, stockLocationIds: [id] } }), id).toEqual([]);
      expect(await listed({ categoryIds: { eq: id, includeSubcategories: true } }), id).toEqual([]);
    }
  });

  it('more than 5,000 categories with their subcategories are refused, each counted once', async () => {
    const ctx = await createContext(database.db);
    const [root, other] = [newId(), newId()];
    await database.db.execute(sql`
      insert into category (merchant_id, id, name) values (${ctx.merchantId}, ${root}, 'root'), (${ctx.merchantId}, ${other}, 'other')`);
    await withoutTriggers(
      database.owner,
      async (owner) =>
        await owner.execute(sql`
          insert into category (merchant_id, name, parent_id, path)
          select ${ctx.merchantId}, 'below', ${root}::uuid, array[${root}::uuid] from generate_series(1, 4999)`),
    );
    const refused = { extensions: { issues: [{ path: ['categoryIds', 'includeSubcategories'] }] } };
    const args = (ids: string[]) => ({ categoryIds: { in: ids, includeSubcategories: true } });
    expect((await api.call(ctx, 'listProduct', args([root]))).errors).toBeUndefined();
    expect((await api.call(ctx, 'listProduct', args([root, other]))).errors).toMatchObject([refused]);
    const everywhere = { eq: root, in: [root], nin: [root], includeSubcategories: true };
    expect((await api.call(ctx, 'listProduct', { categoryIds: everywhere })).errors).toBeUndefined();
    const apart = { eq: root, nin: [other], includeSubcategories: true };
    expect((await api.call(ctx, 'listProduct', { categoryIds: apart })).errors).toMatchObject([refused]);
  });
});
