import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { savePriceList } from '../../src/price-list/savePriceList.ts';
import { saveSalesChannel } from '../../src/sales-channel/saveSalesChannel.ts';
import { listStockLocation } from '../../src/stock/listStockLocation.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { catalogue, sheetOf } from './csv/sheets.ts';
import { importFile } from './files.ts';

const NAME = 'Café';
/** The same name in Unicode form NFD, in which the accent is a character of its own. macOS writes file names like this. */
const DECOMPOSED = NAME.normalize('NFD');

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createContext(database.db);
});

async function importTwice(format: 'csv' | 'jsonl', file: string) {
  return [await importFile(ctx, format, file), await importFile(ctx, format, file)];
}

const NOTHING = { skipped: [], ignoredColumns: [], unknownNames: [] };
const IMPORTED = [
  { ...NOTHING, created: 1 },
  { ...NOTHING, unchanged: 1 },
];

async function locationNames(): Promise<string[]> {
  return (await listStockLocation(ctx, {}, { name: {} })).map(({ name }) => name);
}

describe('a name in another Unicode form than NFC is that of', () => {
  const TEE = { Handle: 'tee', Title: 'Tee', 'Variant Price': '10' };

  it('one stock location in a column', async () => {
    const counts = { [`Commerce / Inventory / ${DECOMPOSED}`]: '3', [`Commerce / Inventory / ${NAME}`]: '3' };
    expect(await importTwice('csv', sheetOf({ ...TEE, ...counts }))).toMatchObject(IMPORTED);
    expect(await locationNames()).toEqual([NAME]);
  });

  it('one stock location in a cell', async () => {
    expect(
      await importTwice('csv', sheetOf({ ...TEE, 'Commerce / Stock Locations': `${DECOMPOSED}=3` })),
    ).toMatchObject(IMPORTED);
    expect(await locationNames()).toEqual([NAME]);
    const twice = sheetOf({ ...TEE, 'Commerce / Stock Locations': `${DECOMPOSED}=3; ${NAME}=4` });
    const reason = expect.stringContaining('one count for each stock location');
    expect(await importFile(ctx, 'csv', twice)).toMatchObject({ updated: 0, skipped: [{ reason }] });
  });

  it('the price list in a column', async () => {
    await savePriceList(ctx, { input: { name: NAME, currency: 'EUR', currencySymbol: '€' } }, { id: {} });
    expect(await importTwice('csv', sheetOf({ ...TEE, [`Price / ${DECOMPOSED}`]: '9' }))).toMatchObject(IMPORTED);
  });

  it('price lists, sales channels and a variant type in JSON lines', async () => {
    await savePriceList(ctx, { input: { name: NAME, currency: 'EUR', currencySymbol: '€' } }, { id: {} });
    await saveSalesChannel(ctx, { input: { name: NAME, type: 'ADMIN' } } as never, { id: {} });
    const prices = [{ sellPrice: 1 }, { sellPrice: 2, priceList: DECOMPOSED }];
    const variantValues = [{ variantTypeName: DECOMPOSED, variantValueName: 'S' }];
    const line = {
      handle: 'tee',
      name: 'Tee',
      type: 'PHYSICAL',
      productVariantTypes: [{ variantTypeName: DECOMPOSED, variantValues: [{ name: 'S' }], order: 0 }],
      groupVariantsBy: DECOMPOSED,
      salesChannels: [DECOMPOSED],
      hiddenSalesChannels: [DECOMPOSED],
      salesChannelSettings: [{ salesChannel: DECOMPOSED, status: 'VISIBLE' }],
      variants: [{ prices, variantValues }],
    };
    expect(await importTwice('jsonl', JSON.stringify(line))).toMatchObject(IMPORTED);
    expect(await catalogue(ctx)).toMatchObject([
      { groupVariantsBy: NAME, salesChannels: [NAME], variants: [{ prices: [{}, { priceList: NAME }] }] },
    ]);
  });
});
