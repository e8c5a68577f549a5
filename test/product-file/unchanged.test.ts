import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { saveCategory } from '../../src/category/saveCategory.ts';
import type { Context } from '../../src/context.ts';
import { savePriceList } from '../../src/price-list/savePriceList.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { catalogue, sheetOf } from './csv/sheets.ts';
import { type Format, importFile } from './files.ts';

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

function lineOf(members: object, prices: object[] = [PRICE]): string {
  return JSON.stringify({ ...LINE, ...members, variants: [{ sku: 'tee', prices }] });
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
