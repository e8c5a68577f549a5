import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { CommerceError } from '../../../src/errors.ts';
import { listProductAttribute } from '../../../src/attribute/listProductAttribute.ts';
import { columnLetters } from '../../../src/product-file/csv/row-mistakes.ts';
import type { Skipped } from '../../../src/product-file/import/skipped.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { savePriceList } from '../../../src/price-list/savePriceList.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { tryFile } from '../files.ts';
import { importText, sheetOf } from './sheets.ts';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Line breaks in cells before the mistakes, so that lines and rows differ. */
const good = { Handle: 'mug', Title: 'Mug', 'Body (HTML)': '<p>\nStone\n</p>', 'Variant Price': '5' };

/** A sheet of 13 mistakes: in cells, between rows, and such as only the service finds. */
const RECORDS: Record<string, string>[] = [
  good,
  {
    Handle: 'tee',
    Title: 'T'.repeat(256),
    'Variant Price': '19.9.0',
    'Variant Grams': 'heavy',
    Status: 'maybe',
    'Option1 Name': 'Size',
    'Option1 Value': 'S',
    'Cost per item': '-1',
  },
  { Handle: 'tee', 'Option1 Value': 'M', 'Variant Price': '1,500', 'Option2 Value': 'red' },
  { Handle: 'cup', Title: 'Cup', 'Variant Price': '-4', 'Variant Barcode': '4.00638E+12' },
  { Handle: '', Title: 'Nobody', 'Variant Price': '1', 'Variant Grams': 'light' },
  { Handle: 'bowl', Title: '', 'Variant Price': '' },
  { ...good, Handle: 'plate' },
];
const HEADER = Object.fromEntries(
  [
    'Handle',
    'Title',
    'Body (HTML)',
    'Vendor',
    'Status',
    'Variant Price',
    'Cost per item',
    'Variant Grams',
    'Variant Barcode',
    'Option1 Name',
    'Option1 Value',
    'Option2 Name',
    'Option2 Value',
  ].map((title) => [title, '']),
);
const SHEET = sheetOf(...RECORDS.map((record) => ({ ...HEADER, ...record })));

const EXPECTED = [
  '3 B Title must have at most 255 characters',
  '3 E Status must be active, draft, archived or unlisted, not "maybe"',
  '3 F Variant Price must be a number such as 19.90, not "19.9.0"',
  '3 G Cost per item must not be negative',
  '3 H Variant Grams must be a number such as 19.90, not "heavy"',
  '4 F Variant Price must be a number that is clear: "1,500" could be 1500 or 1.500',
  '4 M Option2 Value has the value "red", but Option2 Name is empty in the first row of the product',
  // Follows from the mistake of row 6.
  '5 A row 6 has no Handle, and may be a variant of this product',
  '5 F Variant Price must not be negative',
  '5 I Variant Barcode must have all digits: a spreadsheet has shortened them to "4.00638E+12"',
  '6 A has no Handle',
  '6 H Variant Grams must be a number such as 19.90, not "light"',
  '7 B has no Title',
  '7 F has no Variant Price',
];

function mistakesOf(skipped: readonly Skipped[]): string[] {
  return skipped.flatMap(({ mistakes = [] }) =>
    mistakes.map(({ row, column, reason }) => [row, column, reason].filter((part) => part !== undefined).join(' ')),
  );
}

describe('an import of a sheet with 13 mistakes', () => {
  it('names all of them in one run, by row and column letter, and imports the other products', async () => {
    ctx = await createContext(database.db);
    const tried = await tryFile(ctx, 'csv', SHEET);
    expect(mistakesOf(tried.skipped)).toEqual(EXPECTED);
    const imported = await importText(ctx, SHEET);
    expect(mistakesOf(imported.skipped)).toEqual(EXPECTED);
    expect(imported).toMatchObject({ created: 2, updated: 0 });
    const { data } = await listProduct(ctx, { sort: 'name' }, { data: { name: {} } });
    expect(data).toEqual([{ name: 'Mug' }, { name: 'Mug' }]);
  });

  it('has none when the 13 cells are right', async () => {
    ctx = await createContext(database.db);
    const right: Record<string, string>[] = [
      { Title: 'Tee', 'Variant Price': '19.90', 'Variant Grams': '100', Status: 'draft', 'Cost per item': '1' },
      { 'Variant Price': '1500', 'Option2 Value': '' },
      { 'Variant Price': '4', 'Variant Barcode': '4006381333931' },
      { Handle: 'saucer', 'Variant Grams': '10' },
      { Title: 'Bowl', 'Variant Price': '3' },
    ];
    const records = RECORDS.map((record, index) => ({ ...HEADER, ...record, ...right[index - 1] }));
    expect(await importText(ctx, sheetOf(...records))).toMatchObject({ created: 6, skipped: [] });
  });
});

describe('all mistakes of a row', () => {
  beforeAll(async () => {
    ctx = await createContext(database.db);
    await savePriceList(ctx, { input: { name: 'Wholesale', currency: 'EUR' } }, { id: {} });
  });

  it('are named in the columns of price lists, options and pictures too', async () => {
    const sheet = sheetOf({
      Handle: 'a',
      Title: 'A',
      'Variant Price': '1',
      'Price / Wholesale': '-2',
      'Option1 Name': 'Size',
      'Option1 Value': 'x'.repeat(256),
      'Image Src': `https://pictures.example/${'x'.repeat(5_000)}.jpg`,
    });
    const { skipped } = await importText(ctx, sheet);
    expect(mistakesOf(skipped)).toEqual([
      '2 D Price / Wholesale must not be negative',
      expect.stringMatching(/^2 F Option1 Value must have at most 100 characters$/),
      expect.stringMatching(/^2 G Image Src /),
    ]);
  });

  it('have no mistake that only follows from another one', async () => {
    const tee = { Handle: 'tee', Title: 'Tee', 'Variant Price': '1', 'Option1 Name': 'Size', 'Option1 Value': 'S' };
    const twins = sheetOf(tee, { ...tee, 'Variant Price': '2' });
    expect(mistakesOf((await importText(ctx, twins)).skipped)).toEqual([
      '3 is the same variant as row 2: options, or without them the SKU, have to differ',
    ]);
    const nameless = sheetOf({ ...tee, 'Option1 Name': '' }, { ...tee, 'Option1 Name': '', 'Variant Price': '?' });
    expect(mistakesOf((await importText(ctx, nameless)).skipped)).toEqual([
      expect.stringMatching(/^2 E Option1 Value has the value "S", but Option1 Name is empty/),
      '3 C Variant Price must be a number such as 19.90, not "?"',
      expect.stringMatching(/^3 E Option1 Value has the value "S", but Option1 Name is empty/),
    ]);
  });

  it('leave no attribute behind, although they are found by an import that is rolled back', async () => {
    const sheet = sheetOf({
      Handle: 'a',
      Title: 'T'.repeat(256),
      'Variant Price': '1',
      'Commerce / Release Date': 'tomorrow',
      'Commerce / Attributes': JSON.stringify([{ attribute: 'Only here', type: 'TEXT', value: 'x' }]),
    });
    expect(mistakesOf((await importText(ctx, sheet)).skipped)).toHaveLength(2);
    expect(await listProductAttribute(ctx, {}, { name: {} })).toEqual([]);
  });

  it('are found in the titles that the file has', async () => {
    const { skipped } = await importText(ctx, 'URL handle,Title,Price\na,A,x\n');
    expect(mistakesOf(skipped)).toEqual(['2 C Price must be a number such as 19.90, not "x"']);
  });

  it('count the rows as spreadsheet programs do: empty lines, and none for the line that names the delimiter', async () => {
    const { skipped } = await importText(ctx, 'sep=;\nHandle;Title;Variant Price\n\n"a";"A\nB";x\n');
    expect(skipped).toMatchObject([{ line: 4, row: 3, mistakes: [{ line: 4, row: 3, column: 'C' }] }]);
  });

  it('are those that are known if the others take too long to find', async () => {
    const tooLong = new CommerceError('TIMEOUT', 'The request takes too long.');
    const trial = vi.spyOn(ctx.db, 'transaction').mockRejectedValueOnce(tooLong);
    const sheet = sheetOf({ Handle: 'a', Title: 'T'.repeat(256), 'Variant Price': 'x' });
    expect(mistakesOf((await importText(ctx, sheet)).skipped)).toEqual([
      '2 C Variant Price must be a number such as 19.90, not "x"',
    ]);
    trial.mockRestore();
    expect(mistakesOf((await importText(ctx, sheet)).skipped)).toHaveLength(2);
  });

  it('are listed up to 1,000 of a product', async () => {
    const rows = Array.from({ length: 1_500 }, (_, index) => ({
      Handle: 'a',
      'Variant SKU': `${index}`,
      'Variant Price': 'x',
    }));
    const { skipped } = await importText(ctx, sheetOf({ ...rows[0]!, Title: 'A' }, ...rows.slice(1)));
    expect(skipped[0]!.mistakes).toHaveLength(1_001);
    expect(skipped[0]!.mistakes!.at(-1)!.reason).toBe('the product has more mistakes, which are not listed');
  });
});

it('the letters of a column are those of spreadsheet programs', () => {
  expect([0, 25, 26, 51, 52, 701, 702].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']);
});
