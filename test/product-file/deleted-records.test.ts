import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteCategoryList } from '../../src/category/deleteCategoryList.ts';
import { saveCategory } from '../../src/category/saveCategory.ts';
import type { Context } from '../../src/context.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { deleteVariantTypeList } from '../../src/variant-type/deleteVariantTypeList.ts';
import { listVariantType } from '../../src/variant-type/listVariantType.ts';
import { saveVariantType } from '../../src/variant-type/saveVariantType.ts';
import { productSaver } from '../product/products.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { exportFile, type Format, FORMATS, importFile } from './files.ts';

const SELECTION = {
  categoryIds: {},
  productVariantTypes: { variantTypeId: {} },
  variants: { sku: {}, variantValueIds: { variantTypeId: {}, variantValueId: {} } },
};

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createContext(database.db);
});

async function stored() {
  return (await listProduct(ctx, {}, { data: SELECTION })).data[0]!;
}

/** A product with one variant, with a sku, for each value of the type Size. */
async function sizedProduct(...names: string[]) {
  const input = { name: 'Size', selectionType: 'choice' as const, values: names.map((name) => ({ name })) };
  const type = await saveVariantType(ctx, { input }, { id: {}, values: { id: {}, name: {} } });
  const values = type.values!;
  await productSaver(ctx)({
    name: 'Tee',
    type: 'PHYSICAL',
    metaData: { slug: 'tee' },
    productVariantTypes: [{ variantTypeId: type.id, variantValueIds: values.map(({ id }) => id), order: 0 }],
    variants: values.map(({ id, name }) => ({
      sku: `tee-${name}`,
      prices: [{ sellPrice: 10 }],
      variantValueIds: [{ variantTypeId: type.id, variantValueId: id }],
    })),
  });
  return { ...type, values };
}

const cheaper = (text: string): string =>
  text.replaceAll(',10,', ',7,').replaceAll('"sellPrice":10,', '"sellPrice":7,');

describe.each(Object.keys(FORMATS) as Format[])('an import of %s', (format) => {
  it('keeps a product in a category that is deleted', async () => {
    const [sale, summer] = await Promise.all(
      ['Sale', 'Summer'].map((name) => saveCategory(ctx, { input: { name } }, { id: {} })),
    );
    const categoryIds = [sale!.id, summer!.id];
    const variants = [{ prices: [{ sellPrice: 10 }] }];
    await productSaver(ctx)({ name: 'Tee', type: 'PHYSICAL', categoryIds, variants });
    await deleteCategoryList(ctx, { idList: [summer!.id] });
    const { text } = await exportFile(ctx, format);
    expect(await importFile(ctx, format, cheaper(text))).toMatchObject({ updated: 1, skipped: [] });
    expect(await stored()).toMatchObject({ categoryIds });
  });

  it('does not create a variant type again that is deleted', async () => {
    const { id } = await sizedProduct('S');
    await deleteVariantTypeList(ctx, { idList: [id] });
    const { text } = await exportFile(ctx, format);
    expect(await importFile(ctx, format, cheaper(text))).toMatchObject({ updated: 1, skipped: [] });
    expect(await listVariantType(ctx, {}, { name: {} })).toEqual([]);
    expect(await stored()).toMatchObject({ productVariantTypes: [{ variantTypeId: id }] });
  });
});
