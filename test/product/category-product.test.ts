import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { category } from '../../drizzle/category.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { deleteProductList } from '../../src/product/deleteProductList.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { plainProduct, productSaver } from './products.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

type Shop = { ctx: Context; first: string; second: string };

async function createShop(): Promise<Shop> {
  const ctx = await createContext(database.db);
  const [first, second] = [newId(), newId()];
  await ctx.db.insert(category).values([first, second].map((id) => ({ merchantId: ctx.merchantId, id, name: id })));
  return { ctx, first, second };
}

const create = async ({ ctx }: Shop, name: string, categoryIds: string[]): Promise<string> =>
  (await productSaver(ctx)({ ...plainProduct(name), categoryIds })).id;

const named = async ({ ctx }: Shop, categoryId: string): Promise<string[]> => {
  const { data, count } = await listProduct(
    ctx,
    { categoryIds: { eq: categoryId } },
    { count: {}, data: { name: {} } },
  );
  expect(count).toBe(data.length);
  return data.map(({ name }) => name);
};

describe('category_product contains the products of each category, newest first,', () => {
  it('after saves and deletions by the service', async () => {
    const shop = await createShop();
    const { ctx, first, second } = shop;
    const [a] = [
      await create(shop, 'a', [first, second]),
      await create(shop, 'b', [second]),
      await create(shop, 'c', []),
    ];
    expect([await named(shop, first), await named(shop, second)]).toEqual([['a'], ['b', 'a']]);
    await productSaver(ctx)({ ...plainProduct('a'), id: a, categoryIds: [first] });
    expect([await named(shop, first), await named(shop, second)]).toEqual([['a'], ['b']]);
    await deleteProductList(ctx, { idList: [a!] });
    expect(await named(shop, first)).toEqual([]);
    await ctx.db.execute(sql`update product set deleted = false where merchant_id = ${ctx.merchantId} and id = ${a}`);
    expect(await named(shop, first)).toEqual(['a']);
  });

  it('after changes by plain SQL', async () => {
    const shop = await createShop();
    const { ctx, first } = shop;
    for (const name of ['a', 'b', 'c', 'd']) await create(shop, name, [first]);
    const change = async (change: ReturnType<typeof sql>, name: string) =>
      await ctx.db.execute(sql`update product set ${change} where merchant_id = ${ctx.merchantId} and name = ${name}`);
    await change(sql`created_at = '2100-01-01'`, 'a');
    expect(await named(shop, first)).toEqual(['a', 'd', 'c', 'b']);
    await change(sql`deleted = true`, 'b');
    await ctx.db.execute(sql`delete from product where merchant_id = ${ctx.merchantId} and name = 'c'`);
    expect(await named(shop, first)).toEqual(['a', 'd']);
    await change(sql`category_ids = '{}'`, 'd');
    await change(sql`deleted = false`, 'b');
    expect(await named(shop, first)).toEqual(['a', 'b']);
    await ctx.db.execute(
      sql`insert into product (merchant_id, name, type, category_ids) values (${ctx.merchantId}, 'e', 'PHYSICAL', ${`{${first},${first}}`})`,
    );
    expect((await named(shop, first)).toSorted()).toEqual(['a', 'b', 'e']);
  });

  it('for products of its own merchant only', async () => {
    const [own, stranger] = [await createShop(), await createShop()];
    await create(own, 'a', [own.first]);
    expect(await named({ ...stranger, first: own.first }, own.first)).toEqual([]);
  });
});

describe('a list of one category', () => {
  it('has the same pages and cursors with and without other filters', async () => {
    const shop = await createShop();
    const { ctx, first } = shop;
    for (const name of ['a', 'b', 'c', 'd', 'e']) await create(shop, name, [first]);
    await create(shop, 'f', []);
    await ctx.db.execute(
      sql`update product set created_at = '2026-01-01' where merchant_id = ${ctx.merchantId} and name in ('b', 'c', 'd')`,
    );
    const list = async (args: object, pagination: object) =>
      await listProduct(ctx, { ...args, pagination: { limit: 2, ...pagination } }, {
        count: {},
        data: { id: {}, name: {} },
        hasNext: {},
        endCursor: {},
      } as never);
    const [alone, together] = [{ categoryIds: { in: [first] } }, { categoryIds: { eq: first }, name: { nin: [] } }];
    for (const page of [1, 2, 3]) {
      const [one, other] = [await list(alone, { page }), await list(together, { page })];
      expect(one.data).toEqual(other.data);
      expect([one.count, one.hasNext, one.endCursor]).toEqual([other.count, other.hasNext, other.endCursor]);
    }
    const { endCursor } = await list(alone, {});
    const [after, crossed] = [await list(alone, { after: endCursor }), await list(together, { after: endCursor })];
    expect(after.data).toHaveLength(2);
    expect(after.data).toEqual(crossed.data);
  });

  it('is read from category_product', async () => {
    const { ctx, first } = await createShop();
    const before = database.statements.length;
    await listProduct(ctx, { categoryIds: { eq: first } }, { data: { id: {} } });
    await listProduct(ctx, { categoryIds: { eq: first }, includeDeleted: true }, { data: { id: {} } });
    for (const includeSubcategories of [false, true])
      await listProduct(ctx, { categoryIds: { eq: first, includeSubcategories } }, { data: { id: {} } });
    const pages = database.statements.slice(before).filter((text) => !text.includes('with recursive'));
    expect(pages.map((text) => /from "category_product"\s+where/.test(text))).toEqual([true, false, true, true]);
  });
});
