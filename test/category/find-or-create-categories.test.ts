import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { categoryKey, findOrCreateCategories } from '../../src/category/find-or-create-categories.ts';
import { saveCategory } from '../../src/category/saveCategory.ts';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase, withoutTriggers } from '../support/database.ts';
import { explaining } from '../support/plan.ts';

/** Each with a category of the same name below it. */
const ROOTS = 20_000;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
  await withoutTriggers(
    database.owner,
    async (owner) =>
      await owner.execute(sql`
        with root as (
          insert into category (merchant_id, id, name)
          select ${ctx.merchantId}, uuid_v7(), 'Root ' || n from generate_series(1, ${ROOTS}::int) as n
          returning id)
        insert into category (merchant_id, id, name, parent_id, path)
        select ${ctx.merchantId}, uuid_v7(), 'Sale', id, array[id] from root`),
  );
  await database.owner.execute(sql`analyze category`);
});
afterAll(() => database.drop());

async function found(paths: string[][], db = database.db): Promise<(string | undefined)[]> {
  const wanted = paths.map((names) => ({ names, path: [] }));
  const ids = await findOrCreateCategories({ ...ctx, db } as Context, wanted);
  return paths.map((names) => ids.get(categoryKey(names)));
}

async function category(name: string, parentId: string | null = null): Promise<string> {
  return (await saveCategory(ctx, { input: { name, parentId } }, { id: {} })).id;
}

describe('the categories of a bulk request', () => {
  it('are found below their parents only, however many have the same name', async () => {
    const plans: string[] = [];
    const [id] = await found([['Root 7', 'Sale']], explaining(database.db, plans));
    const parents = await database.db.execute<{ name: string }>(sql`
      select parent.name from category, category as parent
      where category.merchant_id = ${ctx.merchantId} and category.id = ${id!} and parent.merchant_id = ${ctx.merchantId}
        and parent.id = category.parent_id`);
    expect(parents).toEqual([{ name: 'Root 7' }]);
    expect(plans).toHaveLength(2);
    for (const plan of plans) expect(plan).toMatch(/Index Scan using category_parent on category/);
  });

  it('are the oldest of their name below one parent', async () => {
    const [first, second] = [await category('Shoes'), await category('Shoes')];
    const [below, ofSecond] = [await category('Red', first), await category('Red', second)];
    await category('Red', first);
    await category('Red');
    expect(await found([['Shoes', 'Red'], ['Shoes']])).toEqual([below, first]);
    await saveCategory(ctx, { input: { id: first, name: 'Boots' } }, { id: {} });
    expect(await found([['Shoes', 'Red'], ['Shoes']])).toEqual([ofSecond, second]);
  });

  it('are found at each level of several paths, with quotes, commas and braces in their names', async () => {
    const names = ['a,b', '{x}', '"q"', '\\', 'null'];
    const roots = await Promise.all(names.map(async (name) => await category(name)));
    const below = await Promise.all(names.map(async (name, index) => await category(name, roots[index])));
    expect(await found(names.map((name) => [name, name]))).toEqual(below);
  });
});
