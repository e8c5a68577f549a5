import { afterAll, beforeAll, expect, it } from 'vitest';
import { automatedCategoriesAfter, categoriesAmong } from '../../../src/product/membership/conditional-categories.ts';
import { saveCategory } from '../../../src/category/saveCategory.ts';
import type { Context } from '../../../src/context.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const NO_ID = '00000000-0000-0000-0000-000000000000';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

async function saveAutomated(valueList: string[]): Promise<string> {
  const conditions = [{ conditionType: 'PRODUCT_NAME' as const, valueList }];
  const { id } = await saveCategory(ctx, { input: { name: 'A', isAutomated: true, conditions } }, { id: {} });
  return id;
}

it('compares fewer categories at once after a timeout, by number and by the length of their conditions', async () => {
  const short = [await saveAutomated(['a']), await saveAutomated(['b']), await saveAutomated(['c'])];
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  const all = await automatedCategoriesAfter(ctx, NO_ID, 1);
  expect([idsOf(all.categories), all.rest]).toEqual([short, []]);
  const two = await automatedCategoriesAfter(ctx, NO_ID, 0.02);
  expect([idsOf(two.categories), two.rest]).toEqual([short.slice(0, 2), short.slice(2)]);
  expect(idsOf((await categoriesAmong(ctx, short, 0.02)).categories)).toEqual(short.slice(0, 2));

  const long = await saveAutomated(Array.from({ length: 100 }, (_, index) => String(index).repeat(100)));
  const limited = await automatedCategoriesAfter(ctx, short[2]!, 0.02);
  expect(idsOf(limited.categories), 'the first one always fits').toEqual([long]);
  const without = await automatedCategoriesAfter(ctx, short[1]!, 0.05);
  expect([idsOf(without.categories), without.rest]).toEqual([[short[2]], [long]]);
});

it('reads categories that have lost their conditions together', async () => {
  const ids = [await saveAutomated(['d']), await saveAutomated(['e'])];
  for (const id of ids) await saveCategory(ctx, { input: { id, name: 'A', conditions: null } }, { id: {} });
  const { categories, rest } = await categoriesAmong(ctx, ids, 1);
  expect([categories.map(({ id, conditions }) => [id, conditions]), rest]).toEqual([ids.map((id) => [id, null]), []]);
});
