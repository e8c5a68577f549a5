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
import { recordsOf, sheetOf } from './csv/sheets.ts';
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

  it('keeps a value of a variant that is removed from its type, when another value is added', async () => {
    const { id, values } = await sizedProduct('S', 'M', 'XL');
    const [small, medium, large] = values;
    const input = { id, name: 'Size', selectionType: 'choice' as const, values: [small!, medium!] };
    await saveVariantType(ctx, { input }, { id: {} });
    const { text } = await exportFile(ctx, format);
    expect(await importFile(ctx, format, withSize(format, text, 'L'))).toMatchObject({ updated: 1, skipped: [] });
    const { variants } = await stored();
    const kept = [{ variantTypeId: id, variantValueId: large!.id }];
    expect(variants.find(({ sku }) => sku === 'tee-XL')).toMatchObject({ variantValueIds: kept });
  });
});

/** The export with another variant, with this size. */
function withSize(format: Format, text: string, size: string): string {
  if (format === 'csv') {
    const records = recordsOf(text);
    const { 'Variant SKU': _sku, 'Commerce / Variant Source ID': _key, ...record } = records.at(-1)!;
    return sheetOf(...records, { ...record, 'Option1 Value': size, 'Commerce / Options': '' });
  }
  const line = JSON.parse(text) as { productVariantTypes: { variantValues: object[] }[]; variants: object[] };
  line.productVariantTypes[0]!.variantValues.push({ name: size });
  const variantValues = [{ variantTypeName: 'Size', variantValueName: size }];
  return JSON.stringify({ ...line, variants: [...line.variants, { prices: [{ sellPrice: 10 }], variantValues }] });
}

it('an export names a value of a variant that is removed from its type', async () => {
  const { id, values } = await sizedProduct('S', 'M');
  const input = { id, name: 'Size', selectionType: 'choice' as const, values: [values[0]!] };
  await saveVariantType(ctx, { input }, { id: {} });
  const { omitted } = await exportFile(ctx, 'jsonl');
  expect(omitted).toEqual([
    { handle: 'tee', member: 'variants.variantValueIds', reason: 'refers to a deleted record' },
  ]);
});
