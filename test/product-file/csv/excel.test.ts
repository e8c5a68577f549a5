import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { savePriceList } from '../../../src/price-list/savePriceList.ts';
import { exportCsv } from '../../../src/product-file/csv/export-csv.ts';
import { fullProductInput, productSaver } from '../../product/products.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { importFile } from '../files.ts';
import { catalogue, exportText, importText, PUBLIC_URL, recordsOf, sheetOf, untimed } from './sheets.ts';

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'commerce-excel-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const example = readFileSync(new URL('../../../examples/catalogue.csv', import.meta.url), 'utf8');

async function exported(ctx: Context, options: { excel?: boolean; semicolons?: boolean }): Promise<Buffer> {
  const path = join(folder, 'sheet.csv');
  const counts: number[] = [];
  const onProgress = (done: number) => void counts.push(done);
  const { products } = await exportCsv(ctx, path, { publicUrl: PUBLIC_URL, onProgress, ...options });
  expect(counts.at(-1) ?? 0).toBe(products);
  return await readFile(path);
}

describe('an export for Excel', () => {
  it('has semicolons and decimal commas if they are asked for, and an import reads the same', async () => {
    const ctx = await createContext(database.db);
    const names = ['Semicolons; in the name', 'Commas, in the name', '1.5', 'Plain'];
    const rows = ['14.5', '1.234', '123.4567', '2'].map((price, index) => ({
      Handle: `p-${index}`,
      Title: names[index]!,
      'Variant Price': price,
      'Variant Grams': '0.125',
      'Variant Inventory Qty': '-1.5',
      'Variant SKU': '1.234',
    }));
    await importText(ctx, sheetOf(...rows));
    const before = await catalogue(ctx);
    const sheet = await exported(ctx, { excel: true, semicolons: true });
    const text = sheet.toString();
    expect(text).toMatch(/^\ufeffHandle;Title;/);
    for (const cell of ['"14,5"', '"1,2340"', '"123,4567"', ';2;', '"0,1250"', '"-1,5"', ";'1.234;"])
      expect(text).toContain(cell);
    expect(await importText(ctx, sheet)).toMatchObject({ unchanged: 4, skipped: [], ignoredColumns: [] });
    const other = await createContext(database.db);
    expect(await importText(other, sheet)).toMatchObject({ created: 4, skipped: [] });
    expect(await catalogue(ctx)).toEqual(before);
    expect(await catalogue(other)).toEqual(before);
  });

  it('begins with a byte order mark, and has only the columns that have values, with the same cells', async () => {
    const ctx = await createContext(database.db);
    await importText(ctx, example);
    const [excel, whole] = [await exported(ctx, { excel: true }), await exported(ctx, {})];
    expect(excel.subarray(0, 3)).toEqual(MARK);
    const [rows, allRows] = [recordsOf(excel.subarray(3).toString()), recordsOf(whole.toString())];
    const used = Object.keys(allRows[0]!).filter((title) => allRows.some((row) => row[title] !== ''));
    const kept = new Set([...used, 'Handle', 'Title', 'Commerce / Source ID']);
    expect(Object.keys(rows[0]!)).toEqual(Object.keys(allRows[0]!).filter((title) => kept.has(title)));
    expect(rows.length).toBe(allRows.length);
    for (const [index, { 'Variant Barcode': barcode, ...row }] of rows.entries()) {
      expect(allRows[index]).toMatchObject(row);
      expect(barcode?.replace("'", '')).toBe(allRows[index]!['Variant Barcode']);
    }
    expect(used.length).toBeLessThan(Object.keys(allRows[0]!).length / 2);
  });

  it('has a value in the last cell of each row, because Excel leaves out empty ones', async () => {
    const ctx = await createContext(database.db);
    await savePriceList(ctx, { input: { name: 'Wholesale', currency: 'EUR' } }, { id: {} });
    await importText(ctx, example);
    await importText(ctx, sheetOf({ Handle: 'list', Title: 'List', 'Variant Price': '1', 'Price / Wholesale': '2' }));
    const records = recordsOf((await exported(ctx, { excel: true })).toString());
    expect(records.filter((record) => Object.values(record).at(-1) === '')).toEqual([]);
  });

  it('is what it was without the option, byte for byte, also in what it says', async () => {
    const ctx = await createContext(database.db);
    await importText(ctx, example);
    const whole = await exported(ctx, {});
    expect(whole.subarray(0, 6).toString()).toBe('Handle');
    expect(whole.toString()).toBe(await exportText(ctx));
  });

  it('changes nothing when it is imported again, and makes the same catalogue in an empty shop', async () => {
    const shops = await Promise.all([1, 2].map(async () => await createContext(database.db)));
    const [ctx, other] = shops as [Context, Context];
    for (const shop of shops) await savePriceList(shop, { input: { name: 'Wholesale', currency: 'EUR' } }, { id: {} });
    await importText(ctx, example);
    await productSaver(ctx)(await fullProductInput(ctx));
    // A product without variants, and one that needs an apostrophe.
    await productSaver(ctx)({ name: 'Bare', type: 'PHYSICAL', variants: [] } as never);
    const sheet = await exported(ctx, { excel: true });
    expect(await importText(ctx, sheet)).toMatchObject({ created: 0, updated: 0, skipped: [], ignoredColumns: [] });
    expect(await importText(other, sheet)).toMatchObject({ updated: 0, skipped: [] });
    const third = await createContext(database.db);
    await savePriceList(third, { input: { name: 'Wholesale', currency: 'EUR' } }, { id: {} });
    await importText(third, await exported(ctx, {}));
    expect(await catalogue(other)).toEqual(await catalogue(third));
    expect(untimed((await exported(other, { excel: true })).toString())).toBe(
      untimed((await exported(third, { excel: true })).toString()),
    );
  });

  it('has an apostrophe before texts that Excel would replace, which an import removes', async () => {
    const ctx = await createContext(database.db);
    const row = (size: string) => ({
      Handle: '0012',
      Title: '007',
      'Variant Price': '19.90',
      'Variant SKU': `00${size}`,
      'Option1 Name': 'Size',
      'Option1 Value': size,
    });
    const barcode = { 'Variant Barcode': '4006381333931', 'Commerce / Variant HS Code': '0901' };
    await importText(
      ctx,
      sheetOf({ ...row('10-12'), ...barcode, 'Commerce / Source ID': '0001234' }, row('1.50'), row('.5')),
    );
    const sheet = (await exported(ctx, { excel: true })).subarray(3).toString();
    expect(recordsOf(sheet)).toMatchObject([
      {
        Handle: "'0012",
        Title: "'007",
        'Commerce / Source ID': "'0001234",
        'Variant SKU': "'0010-12",
        'Option1 Value': "'10-12",
        'Variant Barcode': "'4006381333931",
        'Commerce / Variant HS Code': "'0901",
        'Variant Price': '19.9',
      },
      { Handle: "'0012", 'Option1 Value': "'1.50" },
      { Handle: "'0012", 'Option1 Value': "'.5" },
    ]);
    expect(await importText(ctx, sheet)).toMatchObject({ unchanged: 1, skipped: [] });
  });

  it.each([{}, { excel: true }])('keeps apostrophes of texts that Excel would replace: %j', async (options) => {
    const ctx = await createContext(database.db);
    const [sku, size, barcode] = ["'0012", "''10-12", "'4006381333931"];
    const variantValues = [{ variantTypeName: 'Size', variantValueName: size }];
    const variant = { sku, barcodeList: [barcode], variantValues, prices: [{ sellPrice: 1 }] };
    const line = { handle: 'a', sourceId: "'3E10", name: "'007", type: 'PHYSICAL', variants: [variant] };
    expect(await importFile(ctx, 'jsonl', JSON.stringify(line))).toMatchObject({ created: 1, skipped: [] });
    const sheet = await exported(ctx, options);
    expect(await importText(ctx, sheet)).toMatchObject({ unchanged: 1, skipped: [] });
    const other = await createContext(database.db);
    await importText(other, sheet);
    expect(await catalogue(other)).toEqual(await catalogue(ctx));
  });

  it('keeps an option whose values no variant has', async () => {
    const ctx = await createContext(database.db);
    const options = [
      { name: 'Size', order: 0, values: [] },
      { name: 'Colour', order: 1, values: ['red'] },
    ];
    const sheet = sheetOf({
      Handle: 'a',
      Title: 'A',
      'Variant Price': '1',
      'Option1 Name': 'Colour',
      'Option1 Value': 'red',
      'Commerce / Options': JSON.stringify(options),
    });
    expect(await importText(ctx, sheet)).toMatchObject({ created: 1 });
    expect(await importText(ctx, await exported(ctx, { excel: true }))).toMatchObject({ unchanged: 1, skipped: [] });
  });

  it('of an empty catalogue has the titles by which an import finds products', async () => {
    const ctx = await createContext(database.db);
    const sheet = await exported(ctx, { excel: true });
    expect(sheet.subarray(3).toString()).toBe('Handle,Title,Commerce / Source ID\n');
    expect(await importText(ctx, sheet)).toMatchObject({ created: 0, skipped: [] });
  });
});
