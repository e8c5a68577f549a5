import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { parseDecimal } from '../../../src/product-file/csv/cells.ts';
import { readCsvRows } from '../../../src/product-file/csv/text/read-csv-rows.ts';
import { savePriceList } from '../../../src/price-list/savePriceList.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { plainProduct, productSaver } from '../../product/products.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { catalogue, exportText, importText, recordsOf, sheetOf, untimed } from './sheets.ts';

const MEBIBYTE = 1_048_576;
/** Measured: 0.2 s. Reading the line again from its beginning for each chunk takes 36 s. */
const MAX_READ_MS = 5_000;
/** The files that are refused are 1 GiB long. */
const MAX_MEMORY_GROWTH_BYTES = 400 * MEBIBYTE;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const windows = (text: string, replaced: Record<string, number>): Buffer =>
  Buffer.from(Array.from(text, (character) => replaced[character] ?? character.charCodeAt(0)));

const products = async (ctx: Context) =>
  (await listProduct(ctx, { sort: 'name' }, { data: { name: {}, variants: { prices: { sellPrice: {} } } } })).data.map(
    ({ name, variants }) => [name, variants[0]!.prices[0]!.sellPrice],
  );

const LINES = ['Handle;Title;Variant Price', 'shirt;Grünes „Hemd“ – 5 €;19,90', 'coat;Über, "alles";1.234,50', ''];
const SEMICOLONS = LINES.join('\r\n');
const WINDOWS = { '„': 0x84, '“': 0x93, '–': 0x96, '€': 0x80 };
const EXPECTED = [
  ['Grünes „Hemd“ – 5 €', 19.9],
  ['Über, "alles"', 1_234.5],
];

describe('a sheet of another program', () => {
  it.each<[string, Buffer]>([
    ['UTF-8', Buffer.from(SEMICOLONS)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${SEMICOLONS}`)],
    ['UTF-16 of Excel', Buffer.from(`\ufeff${SEMICOLONS.replaceAll(';', '\t')}`, 'utf16le')],
    ['big-endian UTF-16', Buffer.from(`\ufeff${SEMICOLONS}`, 'utf16le').swap16()],
    ['UTF-16 without a byte order mark', Buffer.from(SEMICOLONS, 'utf16le')],
    ['Windows-1252', windows(SEMICOLONS, WINDOWS)],
    ['a line that names the delimiter', Buffer.from(`sep=;\r\n${SEMICOLONS}`)],
  ])('is read in %s, with semicolons or tabs and decimal commas, in chunks of any size', async (_name, bytes) => {
    for (const chunkSize of [1, 7, 65_536]) {
      const ctx = await createContext(database.db);
      expect(await importText(ctx, bytes, { chunkSize })).toMatchObject({ created: 2, skipped: [] });
      expect(await products(ctx)).toEqual(EXPECTED);
    }
  });

  it('is read in Windows-1252 with a warning that has its first word beyond ASCII, and without if it is UTF-8', async () => {
    const mac = Buffer.from([...Buffer.from('Handle,Title,Variant Price\nplain,Plain,1\nhat,Hat in Gr'), 0x9a, 0xa7]);
    const sheet = Buffer.concat([mac, Buffer.from('e,1\n')]);
    const reason =
      'is read as Windows-1252, as in "Grš§e": if that is wrong, give --encoding, such as macintosh or windows-1250';
    const warnings = [{ line: 3, row: 3, column: 'B', handle: null, reason }];
    for (const options of [{ onDifferences: () => {} }, {}]) {
      const ctx = await createContext(database.db);
      const imported = await importText(ctx, sheet, options);
      expect(imported).toMatchObject({ created: 2, encoding: 'windows-1252', warnings, warningCount: 1 });
    }
    for (const [bytes, options] of [
      [sheet, { encoding: 'macintosh' }],
      [Buffer.from(SEMICOLONS), {}],
      [Buffer.from('Handle,Title,Variant Price\na,A,1\n'), {}],
    ] as const) {
      const ctx = await createContext(database.db);
      const imported = await importText(ctx, bytes, options);
      expect([imported.warnings, imported.encoding]).toEqual([undefined, undefined]);
    }
  });

  it('warns of a guessed encoding also if only the first line is not ASCII', async () => {
    const ctx = await createContext(database.db);
    const sheet = Buffer.from('Handle,Title,Variant Price,Größe\na,A,1,\n', 'latin1');
    expect(await importText(ctx, sheet)).toMatchObject({ warnings: [{ row: 1, column: 'D' }] });
  });

  it('is read in the encoding that the option names, and refused if the encoding is unknown', async () => {
    const ctx = await createContext(database.db);
    const turkish = windows('Handle,Title,Variant Price\nsis,Şiş,1\n', { Ş: 0xde, ş: 0xfe });
    expect(await importText(ctx, turkish, { encoding: 'windows-1254' })).toMatchObject({ created: 1 });
    expect(await products(ctx)).toEqual([['Şiş', 1]]);
    await expect(importText(ctx, turkish, { encoding: 'nonsense' })).rejects.toThrow(/"nonsense" is unknown/);
  });

  it.each([
    ['whose only character beyond ASCII is the last one', 'Handle,Title,Variant Price,Tags\na,A,1,Café'],
    ['with letters whose bytes are those of a byte order mark', 'Handle,Title,Variant Price,Tags\na,A,1,ÿþab\n'],
  ])('is read in Windows-1252 %s, in chunks of any size', async (_name, text) => {
    for (const chunkSize of [1, 4, 65_536]) {
      const ctx = await createContext(database.db);
      const imported = await importText(ctx, Buffer.from(text, 'latin1'), { chunkSize });
      expect(imported).toMatchObject({ created: 1, skipped: [] });
    }
  });

  it('is not read as Windows-1252 if its UTF-8 is damaged', async () => {
    const ctx = await createContext(database.db);
    const bytes = Buffer.concat([
      Buffer.from('Handle,Title,Variant Price\na,Grün,1\nb,Möhre,1\nc,D'),
      Buffer.from([0xff, 0x0a]),
    ]);
    for (const chunkSize of [1, 65_536]) {
      const { created, unchanged, skipped } = await importText(ctx, bytes, { chunkSize });
      const expected = [1, 4, expect.stringMatching(/not UTF-8/)];
      expect([created + unchanged, skipped[0]?.line, skipped[0]?.reason]).toEqual(expected);
    }
  });

  it('may have decimal points or commas, and separators of thousands', () => {
    const numbers = {
      '0,125': 0.125,
      ',5': 0.5,
      '-1,5': -1.5,
      '1,2345': 1.2345,
      '1,234.5': 1_234.5,
      '12,345,678': 12_345_678,
    };
    for (const [cell, value] of Object.entries(numbers)) expect(parseDecimal(cell), cell).toBe(value);
  });

  it.each([
    'Variant Price',
    'Price / Retail',
    'Variant Grams',
    'Variant Inventory Qty',
    'Commerce / Inventory / Berlin',
  ])(
    'is refused if semicolons separate its cells, and %s could be a number of thousands or of decimals',
    async (title) => {
      const ctx = await createContext(database.db);
      await savePriceList(ctx, { input: { name: 'Retail', currency: 'EUR' } }, { id: {} });
      await importText(ctx, 'Handle;Title;Variant Price\ntee;Tee;1,00\n');
      const before = await catalogue(ctx);
      const reason = `${title} must be a number that is clear: "1.234" could be 1234 or 1.234`;
      const { updated, skipped } = await importText(ctx, `Handle;${title}\ntee;1.234\n`);
      expect([updated, skipped]).toMatchObject([0, [{ row: 2, mistakes: [{ column: 'B', reason }] }]]);
      expect(await catalogue(ctx)).toEqual(before);
    },
  );

  it('may have decimal points between semicolons if they are clear, and any between commas', async () => {
    const ctx = await createContext(database.db);
    for (const [cell, price] of [
      ['0.125', 0.125],
      ['1.2345', 1.2345],
      ['1.50', 1.5],
      ['1.234,5', 1_234.5],
    ] as const) {
      const imported = await importText(ctx, `Handle;Title;Variant Price\ntee;Tee;${cell}\n`);
      expect(imported).toMatchObject({ skipped: [] });
      expect(await products(ctx)).toEqual([['Tee', price]]);
    }
    await importText(ctx, 'Handle,Title,Variant Price\ntee,Tee,1.234\n');
    expect(await products(ctx)).toEqual([['Tee', 1.234]]);
  });

  it('may have TRUE for true, as Excel saves it', async () => {
    const ctx = await createContext(database.db);
    const tee = { Handle: 'tee', Title: 'Tee', 'Variant Price': '1', 'Commerce / SEO Disable Index': 'TRUE' };
    expect(await importText(ctx, sheetOf(tee))).toMatchObject({ created: 1, skipped: [] });
    expect(await catalogue(ctx)).toMatchObject([{ disableIndex: true }]);
  });

  it('may have an apostrophe before a barcode of digits, which is none of it', async () => {
    const ctx = await createContext(database.db);
    const rows = ["'12345670", "'1234", "'12a"].map((barcode, index) => ({
      Handle: `p-${index}`,
      Title: 'P',
      'Variant Price': '1',
      'Variant Barcode': barcode,
    }));
    await importText(ctx, sheetOf(...rows));
    const lists = ['12345670', '1234', "'12a"].map((barcode) => ({ variants: [{ barcodeList: [barcode] }] }));
    expect(await catalogue(ctx)).toMatchObject(lists);
  });

  it('keeps an apostrophe before the digits of a barcode of the shop', async () => {
    const ctx = await createContext(database.db);
    const variants = [{ barcodeList: ["'1234"], prices: [{ sellPrice: 1 }] }];
    await productSaver(ctx)({ ...plainProduct('Tee'), variants });
    expect(await importText(ctx, await exportText(ctx))).toMatchObject({ unchanged: 1, skipped: [] });
  });

  it('is warned of a price in a price list that computes prices, until it is the stored one', async () => {
    const ctx = await createContext(database.db);
    const ruleList = [{ basePriceListId: null, currencySettings: {}, rules: [] }];
    const input = { name: 'Retail', currency: 'EUR', type: 'DYNAMIC' as const, ruleList };
    const tee = { Handle: 'tee', Title: 'Tee', 'Variant Price': '1', 'Price / Retail': '2' };
    const { id } = await savePriceList(ctx, { input: { ...input, type: null, ruleList: null } }, { id: {} });
    await importText(ctx, sheetOf(tee));
    await savePriceList(ctx, { input: { ...input, id } }, { id: {} });
    expect(await importText(ctx, sheetOf(tee))).not.toHaveProperty('warnings');
    const reason = 'Price / Retail is ignored: its price list computes prices';
    expect(await importText(ctx, sheetOf({ ...tee, 'Price / Retail': '3' }))).toMatchObject({
      unchanged: 1,
      warnings: [{ row: 2, column: 'D', handle: 'tee', reason }],
    });
  });

  it('loses only the rows in which a spreadsheet has shortened a barcode', async () => {
    const ctx = await createContext(database.db);
    const sheet =
      'Handle,Title,Variant Price,Variant Barcode\na,A,1,4.00638E+12\nb,B,1,"4,00638E+12"\nc,C,1,4006381333931\n';
    const { created, skipped } = await importText(ctx, sheet);
    expect(created).toBe(1);
    const reason = expect.stringContaining('Variant Barcode must have all digits: a spreadsheet has shortened them');
    expect(skipped).toEqual([
      { line: 2, row: 2, handle: 'a', reason, mistakes: [{ line: 2, row: 2, column: 'D', reason }] },
      { line: 3, row: 3, handle: 'b', reason, mistakes: [{ line: 3, row: 3, column: 'D', reason }] },
    ]);
  });
});

describe('a sheet of Shopify that Excel has saved', () => {
  const HEADER = 'Handle,Title,Option1 Name,Option1 Value,Variant Price,Image Src,Image Position,Gender,Status';
  const rows = (...later: string[]) => [HEADER, 'tee,Tee,Size,S,1,,,,active', ...later, ''].join('\n');

  it('may have later rows of a product without the last cells, if these say nothing there', async () => {
    const ctx = await createContext(database.db);
    const imported = await importText(ctx, rows('tee,,,M,2,', 'tee,,,L,3,,', 'tee,,,XL,4,,,', 'tee,,,XXL,5,,,,'));
    expect(imported).toMatchObject({ created: 1, skipped: [] });
    const prices = [1, 2, 3, 4, 5].map((sellPrice) => ({ prices: [{ sellPrice }] }));
    expect(await catalogue(ctx)).toMatchObject([{ variants: prices }]);
  });

  it.each([
    ['a later row without a cell of the variant', rows('tee,,,M,2'), 3, 5],
    ['a first row without the last cell', rows().replace(',,,,active', ',,,'), 2, 8],
  ])('is refused with a hint if it has %s', async (_name, sheet, row, cells) => {
    const ctx = await createContext(database.db);
    const reason = `has ${cells} cells where the first line has 9: Excel leaves out empty cells at the end of rows, so add a last column with a value in each row`;
    expect(await importText(ctx, sheet)).toMatchObject({ created: 0, skipped: [{ mistakes: [{ row, reason }] }] });
  });

  it('is refused if a row of an export has no time, which all rows have', async () => {
    const ctx = await createContext(database.db);
    const sheet = 'Handle,Title,Option1 Name,Option1 Value,Variant Price,Commerce / Updated At\n';
    const time = '2026-01-31T12:00:00Z';
    const imported = await importText(ctx, `${sheet}tee,Tee,Size,S,1,${time}\ntee,,,M,2\n`);
    expect(imported).toMatchObject({ created: 0, skipped: [{ mistakes: [{ row: 3 }] }] });
  });

  it('is refused if a row has one cell too many', async () => {
    const ctx = await createContext(database.db);
    const reason = 'has 10 cells where the first line has 9';
    const imported = await importText(ctx, rows('tee,,,M,2,,,,,x'));
    expect(imported).toMatchObject({ created: 0, skipped: [{ mistakes: [{ row: 3, reason }] }] });
  });
});

describe('a number that a spreadsheet has shortened', () => {
  const SHORTENED = '4.00638E+12';
  const tee = { Handle: 'tee', Title: 'Tee', 'Variant Price': '1' };

  it.each(['Commerce / Source ID', 'Commerce / Variant Source ID', 'Variant SKU'])(
    'is refused in %s, where it would make another record',
    async (title) => {
      const ctx = await createContext(database.db);
      const reason = expect.stringContaining(`${title} must have all digits: a spreadsheet has shortened them`);
      const { created, skipped } = await importText(ctx, sheetOf({ ...tee, [title]: SHORTENED }));
      expect([created, skipped]).toMatchObject([0, [{ mistakes: [{ column: 'D', reason }] }]]);
    },
  );

  it('is refused as a handle, which is no slug', async () => {
    const ctx = await createContext(database.db);
    const imported = await importText(ctx, sheetOf({ ...tee, Handle: SHORTENED }));
    expect(imported).toMatchObject({ created: 0, skipped: [{ mistakes: [{ row: 2, column: 'A' }] }] });
  });

  it.each([SHORTENED, ` ${SHORTENED}`, `'${SHORTENED}`, `\t4E+5`])('is kept as the key %j of the shop', async (key) => {
    const ctx = await createContext(database.db);
    const variants = [{ sku: key, sourceId: key, prices: [{ sellPrice: 1 }] }];
    await productSaver(ctx)({ ...plainProduct('Tee'), sourceId: key, variants });
    const before = await catalogue(ctx);
    const sheet = await exportText(ctx);
    expect(await importText(ctx, sheet)).toMatchObject({ unchanged: 1, skipped: [] });
    const other = await createContext(database.db);
    expect(await importText(other, sheet)).toMatchObject({ created: 1, skipped: [] });
    expect(await catalogue(other)).toEqual(before);
  });
});

describe('a text that a spreadsheet would execute as a formula', () => {
  it('is exported with an apostrophe, which an import removes', async () => {
    const [ctx, other] = [await createContext(database.db), await createContext(database.db)];
    const name = '=HYPERLINK("https://evil.example","Open")';
    await productSaver(ctx)({
      ...plainProduct(name, '+49 30', 5),
      description: "'-1",
      shortDescription: '@x',
      vendorId: '＝1',
    });
    const sheet = await exportText(ctx);
    const [record] = recordsOf(sheet);
    expect(record).toMatchObject({
      Title: `'${name}`,
      'Variant SKU': "'+49 30",
      'Body (HTML)': "''-1",
      'Variant Price': '5',
    });
    expect(sheet).not.toMatch(/(^|[,\n])"?[=+@＝]/);
    expect(await importText(ctx, sheet)).toMatchObject({ unchanged: 1, skipped: [] });
    await importText(other, sheet);
    expect(untimed(await exportText(other))).toBe(untimed(sheet));
  });
});

async function rowsInChunks(text: string, size: number): Promise<unknown[]> {
  const bytes = Buffer.from(text);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let from = 0; from < bytes.length; from += size)
      yield await Promise.resolve(bytes.subarray(from, from + size));
  }
  return (await Array.fromAsync(readCsvRows(chunks()))).map(({ line, cells }) => [line, ...cells]);
}

describe('the line that names the delimiter', () => {
  it.each([
    ['sep=;', ';'],
    ['sep=😀', '😀'],
  ])('%s is read, and counts as a line, wherever the chunks end', async (named, delimiter) => {
    for (const size of [1, named.length + 1, 64])
      expect(await rowsInChunks(`${named}\r\na${delimiter}b\r\n1${delimiter}2`, size)).toEqual([
        [2, 'a', 'b'],
        [3, '1', '2'],
      ]);
  });
});

describe('a hostile sheet', () => {
  it('with a long first line that comes byte by byte is read in linear time', async () => {
    const startedAt = performance.now();
    const [first, second] = await rowsInChunks(`${'a,'.repeat(15_000)}\n1,2`, 1);
    expect([first, second]).toEqual([
      [1, ...Array<string>(15_000).fill('a'), ''],
      [2, '1', '2'],
    ]);
    expect(performance.now() - startedAt).toBeLessThan(MAX_READ_MS);
  });

  it.each<[string, string]>([
    ['a line without end', 'x'],
    ['an open quote', 'Handle,Title\n"'],
    ['NUL bytes', '\0\0\0\0'],
    ['only delimiters', ','],
  ])('with %s is refused with one error before it fills the memory', async (_name, start) => {
    const before = process.memoryUsage().rss;
    const block = Buffer.alloc(MEBIBYTE, start.at(-1)!);
    let sent = 0;
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(start);
      for (; sent < 1_024; sent++) yield await Promise.resolve(block);
    }
    const error: unknown = await Array.fromAsync(readCsvRows(chunks())).catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/^RowError: (a row has more than 10485760 bytes|it is not)/);
    expect(sent).toBeLessThan(16);
    expect(process.memoryUsage().rss - before).toBeLessThan(MAX_MEMORY_GROWTH_BYTES);
  });
});
