import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { categoryNames } from '../../src/category/category-names.ts';
import { deleteCategoryList } from '../../src/category/deleteCategoryList.ts';
import { categoryKey, findOrCreateCategories } from '../../src/category/find-or-create-categories.ts';
import { saveCategory } from '../../src/category/saveCategory.ts';
import type { Context } from '../../src/context.ts';
import { inTransaction } from '../../src/db/connection/transaction.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const ANCESTORS = 49;
const CATEGORIES = 100;
/** The names and ids of 149 categories. The ancestors of each of the 100 categories had 1.2 MB together. */
const MAX_BYTES = 100_000;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createContext(database.db);
});

async function created(...paths: string[][]): Promise<string[]> {
  const wanted = paths.map((names) => ({ names, path: [] }));
  const ids = await inTransaction(ctx, async (ctx) => await findOrCreateCategories(ctx, wanted));
  return paths.map((names) => ids.get(categoryKey(names))!);
}

async function category(name: string, parentId: string | null = null): Promise<string> {
  return (await saveCategory(ctx, { input: { name, parentId } }, { id: {} })).id;
}

describe('the names of categories', () => {
  it('are read once for each category, also for an ancestor of many', async () => {
    const ancestors = Array.from({ length: ANCESTORS }, (_, n) => `${n}`.padEnd(255, 'x'));
    const ids = await created(...Array.from({ length: CATEGORIES }, (_, n) => [...ancestors, `leaf ${n}`]));
    const execute = vi.spyOn(ctx.db, 'execute');
    await categoryNames(ctx, ids);
    const [rows] = await Promise.all(execute.mock.results.map(({ value }) => value as Promise<object[]>));
    execute.mockRestore();
    expect(JSON.stringify(rows).length).toBeLessThan(MAX_BYTES);
  });

  it('from their roots are one path for all categories that have them', async () => {
    const [older, newer] = [await category('Sale'), await category('Sale')];
    const [tees, others] = [await category('Tees', older), await category('Tees', newer)];
    const [below, root] = [await category('Sale', older), await category('Tees')];
    const { paths, find } = await categoryNames(ctx, [newer, tees, others, below, root]);
    expect([...paths.keys()].toSorted()).toEqual([older, newer, tees, others, below, root].toSorted());
    expect(paths.get(tees)).toBe(paths.get(others));
    expect(paths.get(tees)).toBe(find(['Sale', 'Tees']));
    expect(new Set([find(['Sale']), paths.get(tees), paths.get(below), paths.get(root)]).size).toBe(4);
    expect(find(['Tees', 'Sale'])).toBeUndefined();
    expect(find(['Sale', 'Tees', 'Sale'])).toBeUndefined();
  });

  it('are not those of deleted categories, but their subcategories have theirs', async () => {
    const root = await category('Sale');
    const below = await category('Tees', root);
    await deleteCategoryList(ctx, { idList: [root] });
    const { paths, find } = await categoryNames(ctx, [root, below]);
    expect([...paths.keys()]).toEqual([below]);
    expect(paths.get(below)).toBe(find(['Sale', 'Tees']));
  });

  it('of a category whose path lacks its parent, as in plain SQL, begin with its own name', async () => {
    const [root, below] = await created(['Sale'], ['Sale', 'Tees']);
    await ctx.db.execute(sql`
      update category set path = '{}' where merchant_id = ${ctx.merchantId} and id = ${below!}`);
    const { paths, find } = await categoryNames(ctx, [below!]);
    expect(paths.get(below!)).toBe(find(['Tees']));
    expect(paths.has(root!)).toBe(false);
  });
});
