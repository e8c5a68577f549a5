import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteCategoryList } from '../../../src/category/deleteCategoryList.ts';
import { listCategory } from '../../../src/category/listCategory.ts';
import { saveCategory } from '../../../src/category/saveCategory.ts';
import type { Context } from '../../../src/context.ts';
import { bulkUpdateProducts } from '../../../src/product/bulkUpdateProducts.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { exportFile, type Format, FORMATS, importFile, tryFile } from '../../product-file/files.ts';
import { plainProduct, productSaver } from '../products.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

async function category(ctx: Context, name: string, parentId: string | null = null): Promise<string> {
  return (await saveCategory(ctx, { input: { name, parentId } }, { id: {} })).id;
}

/** Saves two roots with the same name, a category below the newer one, and a product in the categories of `placed`. */
async function shop(placed: (ids: { older: string; newer: string; below: string }) => string[]) {
  const ctx = await createContext(database.db);
  const [older, newer] = [await category(ctx, 'Sale'), await category(ctx, 'Sale')];
  const below = await category(ctx, 'Tees', newer);
  const ids = { older, newer, below };
  const product = {
    ...plainProduct('Tee', 'tee', 1),
    sourceId: 'tee',
    metaData: { slug: 'tee' },
    categoryIds: placed(ids),
  };
  await productSaver(ctx)(product);
  return { ctx, ...ids };
}

async function send(ctx: Context, sourceId: string, ...paths: string[][]): Promise<void> {
  const categories = paths.map((name) => ({ name }));
  const variants = [{ sku: sourceId, isActive: true, prices: [{ sellPrice: 1 }] }];
  const entry = { sourceId, name: 'Tee', type: 'PHYSICAL' as const, categories, productVariantTypes: [], variants };
  await bulkUpdateProducts(ctx, { input: [entry] as never });
}

async function placed(ctx: Context, sourceId = 'tee') {
  const selection = { data: { categoryIds: {}, version: {} } };
  const { data } = await listProduct(ctx, { sourceId: { eq: sourceId } }, selection);
  return data[0]!;
}

describe('bulkUpdateProducts', () => {
  it('keeps a product in its category if the entry has the names of its path, and uses the oldest one for others', async () => {
    const { ctx, older, newer } = await shop(({ newer }) => [newer]);
    await send(ctx, 'tee', ['Sale']);
    expect(await placed(ctx)).toEqual({ categoryIds: [newer], version: 1 });
    await send(ctx, 'other', ['Sale']);
    expect(await placed(ctx, 'other')).toMatchObject({ categoryIds: [older] });
  });

  it('finds a path below a newer category of the same name, and creates none', async () => {
    const { ctx, below } = await shop(({ below }) => [below]);
    await send(ctx, 'tee', ['Sale', 'Tees']);
    expect(await placed(ctx)).toEqual({ categoryIds: [below], version: 1 });
    expect(await listCategory(ctx, {}, { id: {} })).toHaveLength(3);
  });

  it('uses each category once, and the oldest one for the second entry with the same names', async () => {
    const { ctx, older, newer } = await shop(({ older, newer }) => [newer, older]);
    await send(ctx, 'tee', ['Sale'], ['Sale']);
    expect(await placed(ctx)).toEqual({ categoryIds: [newer, older], version: 1 });
    await send(ctx, 'tee', ['Sale']);
    expect((await placed(ctx)).categoryIds).toEqual([newer]);
    await send(ctx, 'tee', ['Sale'], ['Sale']);
    expect((await placed(ctx)).categoryIds).toEqual([newer, older]);
  });

  it('uses the oldest one if the stored category is deleted or renamed', async () => {
    const { ctx, older, newer } = await shop(({ newer }) => [newer]);
    await saveCategory(ctx, { input: { id: newer, name: 'Outlet' } }, { id: {} });
    await send(ctx, 'tee', ['Sale']);
    expect((await placed(ctx)).categoryIds).toEqual([older]);
    await deleteCategoryList(ctx, { idList: [older] });
    await send(ctx, 'tee', ['Outlet']);
    expect((await placed(ctx)).categoryIds).toEqual([newer]);
  });
});

describe.each(Object.keys(FORMATS) as Format[])('an import of %s', (format) => {
  it('keeps a product in its category if another member changes', async () => {
    const { ctx, newer, below } = await shop(({ newer, below }) => [newer, below]);
    const text = (await exportFile(ctx, format)).text.replace('Tee', 'Shirt');
    const { differences } = await tryFile(ctx, format, text);
    expect(differences).toMatchObject([{ handle: 'tee', members: [{ member: 'name', old: 'Tee', new: 'Shirt' }] }]);
    expect(await importFile(ctx, format, text)).toMatchObject({ updated: 1, skipped: [] });
    expect((await placed(ctx)).categoryIds).toEqual([newer, below]);
    expect(await listCategory(ctx, {}, { id: {} })).toHaveLength(3);
  });

  it('shows in a dry run that a product moves to another category of the same name', async () => {
    const { ctx, older, newer } = await shop(({ newer }) => [newer]);
    const { text } = await exportFile(ctx, format);
    await saveCategory(ctx, { input: { id: newer, name: 'Outlet' } }, { id: {} });
    const moved = [{ member: 'categories', old: ['Outlet'], new: ['Sale'] }];
    expect((await tryFile(ctx, format, text, { keep: 'sheet' })).differences).toMatchObject([{ members: moved }]);
    await importFile(ctx, format, text, { keep: 'sheet' });
    expect((await placed(ctx)).categoryIds).toEqual([older]);
  });
});
