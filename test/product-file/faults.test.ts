import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { listProductAttribute } from '../../src/attribute/listProductAttribute.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { saveProduct } from '../../src/product/saveProduct.ts';
import { listStockLocation } from '../../src/stock/listStockLocation.ts';
import { saveStockLocation } from '../../src/stock/saveStockLocation.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { importFile } from './files.ts';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const price = { prices: [{ sellPrice: 1 }] };

async function importLine(line: object) {
  return await importFile(ctx, 'jsonl', JSON.stringify({ name: 'Tee', type: 'PHYSICAL', ...line }));
}

async function productsOf(selection: object) {
  return (await listProduct(ctx, {}, { data: selection } as never)).data as unknown as Record<string, unknown>[];
}

describe('an import', () => {
  beforeAll(async () => {
    ctx = await createContext(database.db);
  });

  it('writes a bundle to the product of its line, not to another one with that slug', async () => {
    const other = await saveProduct(
      ctx,
      {
        input: { name: 'Tee', type: 'PHYSICAL', sourceId: 'y', variants: [price], metaData: { slug: 'tee' } },
      } as never,
      { id: {} },
    );
    const bundle = { maxBundleQuantity: 2, minBundleQuantity: null, products: [] };
    expect(await importLine({ handle: 'tee', sourceId: 'x', variants: [{ ...price, bundle }] })).toMatchObject({
      created: 1,
      skipped: [],
    });
    const found = await productsOf({ id: {}, sourceId: {}, variants: { bundleSettings: { maxBundleQuantity: {} } } });
    expect(found.find(({ sourceId }) => sourceId === 'x')).toMatchObject({
      variants: [{ bundleSettings: { maxBundleQuantity: 2 } }],
    });
    expect(found.find(({ id }) => id === other.id)).toMatchObject({ variants: [{ bundleSettings: null }] });
  });

  it('skips a bundle whose handle cannot be stored', async () => {
    const bundle = {
      maxBundleQuantity: null,
      minBundleQuantity: null,
      products: [{ product: 'a\u0000', variants: [], id: '1', quantity: 1, order: 1 }],
    };
    const { skipped } = await importLine({ handle: 'nul', variants: [{ ...price, bundle }] });
    expect(skipped).toMatchObject([{ handle: 'nul', reason: expect.stringContaining('there is no product') }]);
  });

  it('changes option values whose names only together are the same', async () => {
    const line = (type: string, value: string) => ({
      handle: 'colon',
      productVariantTypes: [{ variantTypeName: type, variantValues: [{ name: value }], order: 0 }],
      variants: [{ ...price, sku: 's', variantValues: [{ variantTypeName: type, variantValueName: value }] }],
    });
    await importLine(line('Size', 'A: B'));
    await importLine(line('Size: A', 'B'));
    expect(await importLine(line('Size: A', 'B'))).toMatchObject({ unchanged: 1, updated: 0, skipped: [] });
    const found = await productsOf({ metaData: { slug: {} }, productVariantTypes: { name: {} } });
    expect(found.find(({ metaData }) => (metaData as { slug: string }).slug === 'colon')).toMatchObject({
      productVariantTypes: [{ name: 'Size: A' }],
    });
  });

  it('stores the values of a variant in the new order of its variant types', async () => {
    const type = (name: string, value: string, order: number) => ({
      variantTypeName: name,
      variantValues: [{ name: value }],
      order,
    });
    const value = (variantTypeName: string, variantValueName: string) => ({ variantTypeName, variantValueName });
    const line = (isTurned: boolean) => {
      const values = [value('Length', 'L'), value('Shade', 'red')];
      return {
        handle: 'order',
        productVariantTypes: isTurned
          ? [type('Shade', 'red', 0), type('Length', 'L', 1)]
          : [type('Length', 'L', 0), type('Shade', 'red', 1)],
        variants: [{ ...price, sku: 'o', variantValues: isTurned ? values.toReversed() : values }],
      };
    };
    await importLine(line(false));
    const idsOf = async () => {
      const found = await productsOf({ metaData: { slug: {} }, variants: { variantValueIds: { variantTypeId: {} } } });
      const product = found.find(({ metaData }) => (metaData as { slug: string }).slug === 'order')!;
      const [variant] = product['variants'] as { variantValueIds: { variantTypeId: string }[] }[];
      return variant!.variantValueIds.map(({ variantTypeId }) => variantTypeId);
    };
    const before = await idsOf();
    expect(await importLine(line(true))).toMatchObject({ updated: 1, skipped: [] });
    expect(await idsOf()).toEqual(before.toReversed());
  });

  it('finds attributes, options and stock locations by names with spaces around them', async () => {
    await saveStockLocation(ctx, { input: { name: 'Berlin', type: 'PHYSICAL' } } as never, { id: {} });
    const imported = await importLine({
      handle: 'spaces',
      attributes: [{ attribute: 'Material ', type: 'CHOICE', option: 'Cotton ' }],
      variants: [{ ...price, stocks: [{ stockLocation: ' Berlin ', stockCount: 2 }] }],
    });
    expect(imported).toMatchObject({ created: 1, skipped: [] });
    expect(await listStockLocation(ctx, {}, { name: {} })).toMatchObject([{ name: 'Berlin' }]);
    const found = await productsOf({
      metaData: { slug: {} },
      attributes: { productAttributeId: {}, productAttributeOptionId: {} },
    });
    expect(found.find(({ metaData }) => (metaData as { slug: string }).slug === 'spaces')).toMatchObject({
      attributes: [{ productAttributeId: expect.any(String), productAttributeOptionId: expect.any(String) }],
    });
  });

  it('finds nothing to change in lists that are null or empty', async () => {
    const line = { handle: 'empty', translations: [], variants: [{ ...price, barcodeList: null, attributes: [] }] };
    expect(await importLine(line)).toMatchObject({ created: 1 });
    expect(await importLine(line)).toMatchObject({ updated: 0, unchanged: 1, skipped: [] });
  });

  it('creates no record for a product of a sheet that is refused', async () => {
    const attributes = JSON.stringify([{ attribute: 'Only here', type: 'TEXT', value: 'x' }]).replaceAll('"', '""');
    const sheet = `Handle,Title,Variant Price,Commerce / Attributes,Commerce / Release Date\nno,No,1,"${attributes}",tomorrow\n`;
    expect(await importFile(ctx, 'csv', sheet)).toMatchObject({ created: 0, skipped: [{ handle: 'no' }] });
    const names = (await listProductAttribute(ctx, {}, { name: {} })).map(({ name }) => name);
    expect(names).not.toContain('Only here');
  });

  it('refuses a bundle in a sheet that does not tell the variants apart', async () => {
    const variants = ['b1', 'b2'].map((sku) => ({ ...price, sku }));
    await importLine({ handle: 'two', variants });
    const sheet = 'Handle,Title,Variant Price,Commerce / Variant Bundle\ntwo,Tee,1,null\n';
    const bundle = JSON.stringify({ maxBundleQuantity: 1, minBundleQuantity: null, products: [] }).replaceAll(
      '"',
      '""',
    );
    const { skipped } = await importFile(ctx, 'csv', sheet.replace('null', `"${bundle}"`));
    expect(skipped).toMatchObject([{ reason: expect.stringContaining('its variant cannot be told from the others') }]);
  });
});
