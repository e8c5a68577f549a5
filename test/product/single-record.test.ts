import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveCategory } from '../../src/category/saveCategory.ts';
import type { Context } from '../../src/context.ts';
import type { Selection } from '../../src/db/read/projection.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { deleteProductTagList } from '../../src/tag/deleteProductTagList.ts';
import { saveProductTag } from '../../src/tag/saveProductTag.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { allFields } from '../support/selection.ts';
import { fullProductInput, plainProduct, productSaver } from './products.ts';

const everything: Selection = allFields('Product');
/** Without fields that need more than the record: the statement has no page around it. */
const { productVariantTypes: _, ...alone } = everything;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
  const save = productSaver(ctx);
  for (let count = 0; count < 3; count++) await save(await fullProductInput(ctx));
  const tags = [];
  for (const name of ['c', 'a', 'b']) tags.push((await saveProductTag(ctx, { input: { name } }, { id: {} })).id);
  await save({ ...plainProduct('with tags'), tagIds: tags });
  await deleteProductTagList(ctx, { idList: [tags[1]!] });
  await save({ ...plainProduct('without a brand'), brandId: null, categoryIds: [], tagIds: [] });
});
afterAll(() => database.drop());

/** The records of a page, and the same records read one by one. */
async function bothWays(selection: Selection, session: Context['session']): Promise<{ page: string[]; one: string[] }> {
  const own = { ...ctx, session };
  const { data } = await listProduct(own, {}, { data: { ...selection, id: {} } });
  const one = [];
  for (const { id } of data) {
    const found = await listProduct(own, { id: { eq: id } }, { data: { ...selection, id: {} }, count: {} });
    expect([found.count, found.hasNext, found.endCursor]).toEqual([1, false, null]);
    one.push(JSON.stringify(found.data[0]));
  }
  return { page: data.map((record) => JSON.stringify(record)), one };
}

describe('a product that is read alone', () => {
  it.each([
    ['which may have computed prices and automated categories', {}],
    ['without computed prices', { hasDynamicPriceLists: false }],
    ['without automated categories', { hasAutomatedCategories: false }],
    ['without both', { hasDynamicPriceLists: false, hasAutomatedCategories: false }],
  ])('equals the product on a page, for a merchant %s', async (_, flags) => {
    for (const selection of [everything, alone, { name: {} }]) {
      const { page, one } = await bothWays(selection, { ...ctx.session, ...flags });
      expect(one).toEqual(page);
      expect(page).toHaveLength(8);
    }
  });

  it('is not found under an unknown id, on a later page, or after a cursor', async () => {
    const { data } = await listProduct(ctx, { pagination: { limit: 1 } }, { data: { id: {} } });
    const { id } = data[0]!;
    const { endCursor } = await listProduct(ctx, { id: { eq: id } }, { endCursor: {}, data: { id: {} } });
    expect(endCursor).not.toBeNull();
    for (const args of [
      { id: { eq: ctx.merchantId } },
      { id: { eq: 'no id' } },
      { id: { eq: id }, pagination: { page: 2 } },
      { id: { eq: id }, pagination: { after: endCursor } },
    ])
      expect(await listProduct(ctx, args, { data: alone })).toMatchObject({ data: [], hasNext: false });
  });
});

it('the save of an automated category is seen by the app at once', async () => {
  const session = { ...ctx.session, hasAutomatedCategories: false };
  const conditions = [{ conditionType: 'PRODUCT_NAME' as const, valueList: ['x'] }];
  await saveCategory({ ...ctx, session }, { input: { name: 'plain' } }, { id: {} });
  expect(session.hasAutomatedCategories).toBe(false);
  await saveCategory(
    { ...ctx, session },
    { input: { name: 'auto', isAutomated: true, conditions } as never },
    { id: {} },
  );
  expect(session.hasAutomatedCategories).toBe(true);
});
