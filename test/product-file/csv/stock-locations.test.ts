import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { deleteStockLocationList } from '../../../src/stock/deleteStockLocationList.ts';
import { listStockLocation } from '../../../src/stock/listStockLocation.ts';
import { saveProductStockLocations } from '../../../src/stock/saveProductStockLocations.ts';
import { saveStockLocation } from '../../../src/stock/saveStockLocation.ts';
import { plainProduct, productSaver } from '../../product/products.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { exportText, importText, recordsOf, sheetOf } from './sheets.ts';
import { tryFile } from '../files.ts';

const STOCK_LOCATIONS = 'Commerce / Stock Locations';
const CREATE_FIRST = 'create it first, because an import creates locations only in a shop that had none before';
const QUANTITY = 'Variant Inventory Qty';
const tee = { Handle: 'tee', Title: 'Tee', 'Variant SKU': 'tee', 'Variant Price': '1' };

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Creates a shop with stock locations of these names, the oldest first. */
async function shopWith(...names: string[]): Promise<{ ctx: Context; ids: string[] }> {
  const ctx = await createContext(database.db);
  const ids: string[] = [];
  for (const name of names) ids.push((await saveStockLocation(ctx, { input: { name } }, { id: {} })).id);
  return { ctx, ids };
}

/** Saves a product with the handle `tee` and these counts by the ids of the locations. */
async function saveTee(ctx: Context, counts: Record<string, number>): Promise<void> {
  const product = await productSaver(ctx)({ ...plainProduct('Tee', 'tee', 1), metaData: { slug: 'tee' } });
  const place = { productId: product.id, variantId: product.variants[0]!.id };
  const inputs = Object.entries(counts).map(([stockLocationId, stockCount]) => ({
    ...place,
    stockLocationId,
    stockCount,
  }));
  await saveProductStockLocations(ctx, { input: { productStockLocationInputs: inputs } } as never);
}

/** The counts of the shop's only product by the names of the locations. */
async function counts(ctx: Context): Promise<Record<string, number>> {
  const selection = { data: { variants: { stocks: { stockLocationId: {}, stockCount: {} } } } };
  const { data } = await listProduct(ctx, {}, selection);
  const names = new Map((await listStockLocation(ctx, {}, { id: {}, name: {} })).map(({ id, name }) => [id, name]));
  const stocks = data.flatMap(({ variants }) => variants.flatMap((variant) => variant.stocks ?? []));
  return Object.fromEntries(
    stocks.map(({ stockLocationId, stockCount }) => [names.get(stockLocationId) ?? 'deleted', stockCount]),
  );
}

describe('the column of stock locations', () => {
  it('has the name of each location with a count, the oldest location included', async () => {
    const { ctx, ids } = await shopWith('Berlin', 'Paris', 'Rome');
    await saveTee(ctx, { [ids[0]!]: 7, [ids[1]!]: -2.5 });
    const [row] = recordsOf(await exportText(ctx));
    expect(row).toMatchObject({ [STOCK_LOCATIONS]: 'Berlin=7; Paris=-2.5', [QUANTITY]: '7' });
  });

  it('gives the counts to the locations of the same names in a shop whose oldest location is another one', async () => {
    const { ctx, ids } = await shopWith('Berlin', 'Paris');
    await saveTee(ctx, { [ids[0]!]: 7, [ids[1]!]: 3 });
    const sheet = await exportText(ctx);
    const { ctx: other } = await shopWith('Paris', 'Berlin');
    const imported = await importText(other, sheet);
    expect(imported).toMatchObject({ created: 1, skipped: [], ignoredColumns: [] });
    expect(imported).not.toHaveProperty('inventoryLocation');
    expect(imported).not.toHaveProperty('unusedCounts');
    expect(await counts(other)).toEqual({ Berlin: 7, Paris: 3 });
    expect(await importText(other, sheet)).toMatchObject({ unchanged: 1 });
  });

  it('refuses the row if a location was deleted after the export, and gives its count to no other one', async () => {
    const { ctx, ids } = await shopWith('Berlin', 'Paris');
    await saveTee(ctx, { [ids[0]!]: 7 });
    const sheet = await exportText(ctx);
    await deleteStockLocationList(ctx, { idList: [ids[0]!] });
    const reason = `${STOCK_LOCATIONS} names "Berlin", which is no stock location of the shop: ${CREATE_FIRST}`;
    for (const read of [tryFile, importSheet]) {
      const { updated, skipped } = await read(ctx, 'csv', sheet);
      expect({ updated, skipped }).toMatchObject({ updated: 0, skipped: [{ line: 2, handle: 'tee', reason }] });
    }
    expect(await counts(ctx)).toEqual({ deleted: 7 });
    expect(await listStockLocation(ctx, {}, { name: {} })).toEqual([{ name: 'Paris' }]);
  });

  it('has the ids of locations with the same name, and is refused without them', async () => {
    const { ctx, ids } = await shopWith('Berlin', 'Berlin', 'Paris');
    await saveTee(ctx, { [ids[0]!]: 1, [ids[1]!]: 2 });
    const sheet = await exportText(ctx);
    expect(recordsOf(sheet)[0]![STOCK_LOCATIONS]).toBe(`Berlin (${ids[0]})=1; Berlin (${ids[1]})=2`);
    expect(await importText(ctx, sheet)).toMatchObject({ unchanged: 1, skipped: [] });
    const { skipped } = await importText(ctx, sheetOf({ ...tee, [STOCK_LOCATIONS]: 'Berlin=5' }));
    expect(skipped).toMatchObject([
      {
        line: 2,
        handle: 'tee',
        reason: `${STOCK_LOCATIONS} names "Berlin", but several stock locations have this name: write an id behind it, as exports do`,
      },
    ]);
    // A name with an id is also accepted if it is the only location of this name by now.
    await deleteStockLocationList(ctx, { idList: [ids[0]!] });
    const changed = sheetOf({ ...tee, [STOCK_LOCATIONS]: `Berlin (${ids[1]})=5` });
    expect(await importText(ctx, changed)).toMatchObject({ updated: 1, skipped: [] });
    expect(await counts(ctx)).toEqual({ deleted: 1, Berlin: 5 });
  });

  it('takes precedence over the columns for single locations and the one without a location', async () => {
    const { ctx } = await shopWith('Paris', 'Berlin', 'Rome');
    const row = {
      ...tee,
      [STOCK_LOCATIONS]: 'Berlin=7',
      'Commerce / Inventory / Berlin': '8',
      'Commerce / Inventory / Rome': '4',
    };
    expect(await importText(ctx, sheetOf({ ...row, [QUANTITY]: '7' }))).not.toHaveProperty('unusedCounts');
    expect(await counts(ctx)).toEqual({ Berlin: 7, Rome: 4 });
    const reason = `${QUANTITY} is 9, but the row has other counts by location`;
    const unusedCounts = [{ line: 2, handle: 'tee', reason }];
    for (const read of [tryFile, importSheet])
      expect(await read(ctx, 'csv', sheetOf({ ...row, [QUANTITY]: '9' }))).toMatchObject({
        unchanged: 1,
        unusedCounts,
      });
    expect(await counts(ctx)).toEqual({ Berlin: 7, Rome: 4 });
  });

  it('creates the locations of the file in a shop without stock locations', async () => {
    const { ctx } = await shopWith();
    expect(await importText(ctx, sheetOf({ ...tee, [STOCK_LOCATIONS]: 'Berlin=7; Paris=3' }))).toMatchObject({
      created: 1,
    });
    expect(await counts(ctx)).toEqual({ Berlin: 7, Paris: 3 });
  });

  it('says that a location has to be created if an interrupted import has created only the others', async () => {
    const { ctx } = await shopWith();
    const berlin = { ...tee, [STOCK_LOCATIONS]: 'Berlin=7' };
    await importText(ctx, sheetOf(berlin));
    const sheet = sheetOf(berlin, { ...tee, Handle: 'mug', 'Variant SKU': 'mug', [STOCK_LOCATIONS]: 'Paris=3' });
    const reason = expect.stringContaining(CREATE_FIRST);
    expect(await importText(ctx, sheet)).toMatchObject({ unchanged: 1, skipped: [{ handle: 'mug', reason }] });
    await saveStockLocation(ctx, { input: { name: 'Paris' } }, { id: {} });
    expect(await importText(ctx, sheet)).toMatchObject({ created: 1, unchanged: 1, skipped: [] });
  });

  it('refuses cells that are not pairs of name and count, with row and column', async () => {
    const { ctx } = await shopWith('Berlin');
    for (const cell of [
      '7',
      'Berlin',
      'Berlin=',
      '=7',
      'Berlin=7=8',
      'Berlin=x',
      'Berlin=1; Berlin=2',
      'Berlin=1, Rome=2',
    ]) {
      const { created, skipped } = await importText(ctx, sheetOf({ ...tee, [STOCK_LOCATIONS]: cell }));
      expect({ cell, created, skipped }).toMatchObject({
        cell,
        created: 0,
        skipped: [
          { line: 2, handle: 'tee', reason: expect.stringMatching(/^Commerce \/ Stock Locations (must|names)/) },
        ],
      });
    }
  });

  it.each(['a=b', 'a; b', 'a\\', '\\', '=', ';', '=1+1', 'a\\=b;', '"q", \'x', 'line\nbreak', '-5', 'a=7; b=8'])(
    'may have a location with the name %j',
    async (name) => {
      const { ctx, ids } = await shopWith(name, `${name} 2`);
      await saveTee(ctx, { [ids[0]!]: 1.5, [ids[1]!]: -2 });
      const sheet = await exportText(ctx);
      expect(await importText(ctx, sheet)).toMatchObject({ unchanged: 1, skipped: [] });
      const { ctx: other } = await shopWith(`${name} 2`, name);
      expect(await importText(other, sheet)).toMatchObject({ created: 1, skipped: [] });
      expect(await counts(other)).toEqual({ [name]: 1.5, [`${name} 2`]: -2 });
    },
  );
});

describe('a count without a location', () => {
  it('goes to the oldest location that is not deleted, and the import says so', async () => {
    const { ctx, ids } = await shopWith('Berlin', 'Paris', 'Rome');
    await deleteStockLocationList(ctx, { idList: [ids[0]!] });
    const sheet = sheetOf({ ...tee, [QUANTITY]: '5' });
    for (const read of [tryFile, importSheet])
      expect(await read(ctx, 'csv', sheet)).toMatchObject({ created: 1, skipped: [], inventoryLocation: 'Paris' });
    expect(await counts(ctx)).toEqual({ Paris: 5 });
  });

  it('is not used if the row has a column for the same location', async () => {
    const { ctx } = await shopWith('Paris', 'Berlin');
    const imported = await importText(ctx, sheetOf({ ...tee, [QUANTITY]: '7', 'Commerce / Inventory / Paris': '3' }));
    const reason = `${QUANTITY} is 7, but the row has other counts by location`;
    expect(imported).toMatchObject({ created: 1, skipped: [], unusedCounts: [{ line: 2, handle: 'tee', reason }] });
    expect(await counts(ctx)).toEqual({ Paris: 3 });
  });

  it('is used together with the columns of other locations, as in earlier exports', async () => {
    const { ctx } = await shopWith('Berlin', 'Paris');
    const imported = await importText(ctx, sheetOf({ ...tee, [QUANTITY]: '7', 'Commerce / Inventory / Paris': '3' }));
    expect(imported).toMatchObject({ created: 1, skipped: [], inventoryLocation: 'Berlin' });
    expect(await counts(ctx)).toEqual({ Berlin: 7, Paris: 3 });
  });
});

describe('a variant that a sheet of Shopify does not track', () => {
  const untracked = { ...tee, 'Variant Inventory Tracker': '', 'Variant Inventory Policy': 'deny', [QUANTITY]: '1' };
  const variants = { variants: { sellIfOutOfStock: {}, stocks: { stockCount: {} } } };

  it('can always be bought and has no count', async () => {
    const ctx = await createContext(database.db);
    const mug = {
      ...untracked,
      Handle: 'mug',
      Title: 'Mug',
      'Variant Inventory Tracker': 'shopify',
      'Variant SKU': 'mug',
    };
    expect(await importText(ctx, sheetOf(untracked, mug))).toMatchObject({ created: 2, skipped: [] });
    const { data } = await listProduct(ctx, { sort: '-name' }, { data: variants });
    expect(data.flatMap((product) => product.variants)).toEqual([
      { sellIfOutOfStock: true, stocks: [] },
      { sellIfOutOfStock: false, stocks: [{ stockCount: 1 }] },
    ]);
    expect(await importText(ctx, sheetOf(untracked, mug))).toMatchObject({ unchanged: 2, skipped: [] });
  });

  it('has a note of its count in the answer, unless it is 0', async () => {
    const ctx = await createContext(database.db);
    const cup = { ...untracked, Handle: 'cup', Title: 'Cup', 'Variant SKU': 'cup', [QUANTITY]: '0' };
    const reason = `${QUANTITY} is 1, but the variant has no tracker`;
    expect((await importText(ctx, sheetOf(untracked, cup))).unusedCounts).toMatchObject([{ handle: 'tee', reason }]);
  });

  it.each(['Commerce / Source ID', 'Commerce / Updated At', 'Commerce / Options'])(
    'is as its row says in our exports, with %s',
    async (own) => {
      const ctx = await createContext(database.db);
      expect(await importText(ctx, sheetOf({ ...untracked, [own]: '' }))).toMatchObject({ created: 1, skipped: [] });
      const { data } = await listProduct(ctx, {}, { data: variants });
      expect(data[0]!.variants).toEqual([{ sellIfOutOfStock: false, stocks: [{ stockCount: 1 }] }]);
    },
  );
});

it('the name of several locations is refused and creates no other one, in columns and in JSON lines', async () => {
  const { ctx } = await shopWith('Berlin', 'Berlin');
  const stocks = [{ stockLocation: 'Berlin', stockCount: 1 }];
  const line = JSON.stringify({
    handle: 'tee',
    name: 'Tee',
    type: 'PHYSICAL',
    variants: [{ prices: [{ sellPrice: 1 }], stocks }],
  });
  const reason = expect.stringContaining('several have the name "Berlin"');
  for (const [format, file] of [
    ['csv', sheetOf({ ...tee, 'Commerce / Inventory / Berlin': '1' })],
    ['jsonl', line],
  ] as const)
    expect(await tryFile(ctx, format, file)).toMatchObject({ created: 0, skipped: [{ handle: 'tee', reason }] });
  expect(await listStockLocation(ctx, {}, { name: {} })).toHaveLength(2);
});

async function importSheet(ctx: Context, _format: 'csv', sheet: string) {
  return await importText(ctx, sheet);
}
