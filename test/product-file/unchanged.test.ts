import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { saveProductAttribute } from '../../src/attribute/saveProductAttribute.ts';
import { saveCategory } from '../../src/category/saveCategory.ts';
import type { Context } from '../../src/context.ts';
import { savePriceList } from '../../src/price-list/savePriceList.ts';
import { plainProduct, productSaver } from '../product/products.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { catalogue, sheetOf } from './csv/sheets.ts';
import { exportFile, type Format, importFile } from './files.ts';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createContext(database.db);
});

const LIST = { name: 'List', currency: 'EUR', currencySymbol: '€' };
const LINE = { handle: 'tee', name: 'Tee', type: 'PHYSICAL' };
const PRICE = { sellPrice: 1 };

function lineOf(members: object, prices: object[] = [PRICE], variant: object = {}): string {
  return JSON.stringify({ ...LINE, ...members, variants: [{ sku: 'tee', prices, ...variant }] });
}

const SIZE = { order: 0, variantTypeName: 'Size' };

function sized(value: string): object {
  return { variantValues: [{ variantTypeName: 'Size', variantValueName: value }] };
}

function optionValues(product: object): string[] {
  const { productVariantTypes } = product as { productVariantTypes: { variantValues: { name: string }[] }[] };
  return productVariantTypes.flatMap(({ variantValues }) => variantValues.map(({ name }) => name));
}

async function importTwice(format: Format, file: string) {
  return [await importFile(ctx, format, file), await importFile(ctx, format, file)];
}

const UNCHANGED = [
  { created: 1, skipped: [] },
  { unchanged: 1, updated: 0, skipped: [] },
];

describe('a product is unchanged when it is imported again, with', () => {
  it('the currency that a price has from the merchant', async () => {
    expect(await importTwice('jsonl', lineOf({}, [{ ...PRICE, currencyCode: 'USD' }]))).toMatchObject(UNCHANGED);
    expect(await importFile(ctx, 'jsonl', lineOf({}, [{ ...PRICE, currencyCode: 'CHF' }]))).toMatchObject({
      updated: 1,
    });
  });

  it('the currency that a price has from its price list', async () => {
    await savePriceList(ctx, { input: LIST }, { id: {} });
    const prices = { 'Variant Price': '1', 'Price / List': '2', 'Commerce / Currency / List': 'EUR' };
    expect(await importTwice('csv', sheetOf({ Handle: 'tee', Title: 'Tee', ...prices }))).toMatchObject(UNCHANGED);
  });

  it('a price of a price list that computes its prices', async () => {
    const ruleList = [{ basePriceListId: null, currencySettings: {}, rules: [] }];
    await savePriceList(ctx, { input: { ...LIST, type: 'DYNAMIC', ruleList } }, { id: {} });
    expect(await importTwice('jsonl', lineOf({}, [PRICE, { sellPrice: 9, priceList: 'List' }]))).toMatchObject(
      UNCHANGED,
    );
  });

  it('a tag twice', async () => {
    expect(await importTwice('jsonl', lineOf({ tags: [{ name: 'summer' }, { name: 'summer' }] }))).toMatchObject(
      UNCHANGED,
    );
  });

  it.each([
    ['jsonl', lineOf({ categories: [{ name: ['Wear'] }, { name: ['Wear'] }] })],
    ['csv', sheetOf({ Handle: 'tee', Title: 'Tee', Type: '[["Wear"],["Wear"]]', 'Variant Price': '1' })],
  ] as const)('a category twice in %s', async (format, file) => {
    expect(await importTwice(format, file)).toMatchObject(UNCHANGED);
    expect(await catalogue(ctx)).toMatchObject([{ categories: [{ name: ['Wear'] }] }]);
  });

  it('two categories with the same path', async () => {
    const ids = [];
    for (const parentId of [null, null])
      ids.push((await saveCategory(ctx, { input: { name: 'Wear', parentId } }, { id: {} })).id);
    await productSaver(ctx)({ ...plainProduct('Tee'), categoryIds: ids });
    const { text } = await exportFile(ctx, 'jsonl');
    expect(await importTwice('jsonl', text)).toMatchObject([{ unchanged: 1 }, { unchanged: 1 }]);
  });

  it('a value in the row of a variant that the column of options lacks', async () => {
    const row = { Handle: 'tee', Title: 'Tee', 'Variant Price': '1', 'Option1 Name': 'Size' };
    const options = JSON.stringify([{ name: 'Size', order: 0, values: ['S', 'M'] }]);
    const first = { ...row, 'Option1 Value': 'S', 'Commerce / Options': options };
    const sheet = sheetOf(first, { ...row, 'Option1 Value': 'XL' });
    expect(await importTwice('csv', sheet)).toMatchObject(UNCHANGED);
    expect((await catalogue(ctx)).map(optionValues)).toEqual([['S', 'M', 'XL']]);
  });

  it('a value of a variant that its variant types lack', async () => {
    expect(await importTwice('jsonl', lineOf({ productVariantTypes: [] }, [PRICE], sized('S')))).toMatchObject(
      UNCHANGED,
    );
    expect((await catalogue(ctx)).map(optionValues)).toEqual([['S']]);
  });

  it('a value of a variant that its variant types lack, and that the shop lists before others', async () => {
    const listing = (...names: string[]) => [{ ...SIZE, variantValues: names.map((name) => ({ name })) }];
    await importFile(ctx, 'jsonl', lineOf({ productVariantTypes: listing('XL', 'S') }, [PRICE], sized('XL')));
    const file = lineOf({ productVariantTypes: listing('S') }, [PRICE], sized('XL'));
    expect(await importTwice('jsonl', file)).toMatchObject([{ updated: 1 }, { unchanged: 1 }]);
    expect((await catalogue(ctx)).map(optionValues)).toEqual([['S', 'XL']]);
  });

  it('the order of a variant type that the file does not list', async () => {
    const type = (variantTypeName: string, order: number) => ({ variantTypeName, order, variantValues: [] });
    const both = ['Color', 'Size'].map((variantTypeName) => ({ variantTypeName, variantValueName: 'A' }));
    const file = (...productVariantTypes: object[]) =>
      lineOf({ productVariantTypes }, [PRICE], { variantValues: both });
    await importFile(ctx, 'jsonl', file(type('Color', 0), type('Size', 1)));
    expect(await importTwice('jsonl', file(type('Size', 1)))).toMatchObject([{ unchanged: 1 }, { unchanged: 1 }]);
  });

  it('a value that a variant type has twice', async () => {
    const variantValues = [{ name: 'S' }, { name: 'M' }, { name: 'S' }];
    const file = lineOf({ productVariantTypes: [{ ...SIZE, variantValues }] });
    expect(await importTwice('jsonl', file)).toMatchObject(UNCHANGED);
    expect((await catalogue(ctx)).map(optionValues)).toEqual([['S', 'M']]);
  });

  it('a release date without milliseconds, or with an offset', async () => {
    expect(await importTwice('jsonl', lineOf({ releaseDate: '2026-01-31T12:00:00Z' }))).toMatchObject(UNCHANGED);
    expect(await importFile(ctx, 'jsonl', lineOf({ releaseDate: '2026-01-31T13:00:00+01:00' }))).toMatchObject({
      unchanged: 1,
    });
  });

  it('a stock count that is rounded', async () => {
    const stocks = [{ stockLocation: 'Berlin', stockCount: 0.1 + 0.2 }];
    expect(await importTwice('jsonl', lineOf({}, [PRICE], { stocks }))).toMatchObject(UNCHANGED);
  });

  it('the value of an attribute that has another type in the shop', async () => {
    await saveProductAttribute(ctx, { input: { name: 'Material', type: 'HTML' } }, { id: {} });
    const attributes = [{ attribute: 'Material', type: 'TEXT', value: 'Cotton' }];
    expect(await importTwice('jsonl', lineOf({ attributes }, [PRICE], { attributes }))).toMatchObject(UNCHANGED);
  });

  it('an automated category of the shop, which a save ignores', async () => {
    const conditions = [{ conditionType: 'PRODUCT_NAME' as const, valueList: ['Mug'] }];
    await saveCategory(ctx, { input: { name: 'Mugs', isAutomated: true, conditions } }, { id: {} });
    expect(await importTwice('jsonl', lineOf({ categories: [{ name: ['Mugs'] }, { name: ['Wear'] }] }))).toMatchObject(
      UNCHANGED,
    );
    expect(await catalogue(ctx)).toMatchObject([{ categories: [{ name: ['Wear'] }] }]);
    expect(await importFile(ctx, 'jsonl', lineOf({ categories: [{ name: ['Mugs'] }] }))).toMatchObject({ updated: 1 });
  });
});
