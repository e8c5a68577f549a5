import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseValue } from '../../src/product-file/csv/codecs.ts';
import { shownTypes } from '../../src/product-file/csv/options.ts';
import { readCsv } from '../../src/product-file/csv/read-csv.ts';
import { parseStocks } from '../../src/product-file/csv/stocks.ts';
import { batches } from '../../src/product-file/import/import-products.ts';
import type { FileEntry, FileProduct } from '../../src/product-file/import/file-product.ts';
import { readLines } from '../../src/product-file/json-lines/import-json-lines.ts';
import type { Skipped } from '../../src/product-file/import/skipped.ts';
import { Slips } from '../../src/product-file/import/slips.ts';
import type { NamedRecords } from '../../src/product-file/line/named-records.ts';
import { productLine } from '../../src/product-file/line/product-line-input.ts';
import { withUsedValues } from '../../src/product-file/line/used-values.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { sheetOf } from './csv/sheets.ts';
import { importFile } from './files.ts';

const TIMEOUT_MS = 120_000;
const LISTED = 100_000;
const MANY_COLUMNS = 19_999;
const MAX_BYTES = 10_485_760;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it('the result of a file of invalid lines lists 100,000 of them, and says that there are more', async () => {
  async function* entries(): AsyncGenerator<FileEntry> {
    for (let line = 1; line <= LISTED + 500; line++)
      yield await Promise.resolve({ skipped: { line, handle: null, reason: 'is not JSON' } });
  }
  const skipped: Skipped[] = [];
  expect(await Array.fromAsync(batches(entries(), skipped))).toEqual([[]]);
  expect(skipped).toHaveLength(LISTED + 1);
  expect(skipped[LISTED - 1]).toEqual({ line: LISTED, handle: null, reason: 'is not JSON' });
  expect(skipped[LISTED]!.reason).toBe(
    'is not JSON; further lines that cannot be read are skipped too, and not listed',
  );
});

it('the delimiters of empty cells count towards the limit of 10 MiB', { timeout: TIMEOUT_MS }, async () => {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from(`Handle${',c'.repeat(MANY_COLUMNS - 1)}\n`));
    const row = Buffer.from(`wide${','.repeat(MANY_COLUMNS - 1)}\n`);
    for (let count = 0; count < 530; count++) yield row;
  }
  const { entries } = await readCsv(chunks());
  const reason = `has more than ${MAX_BYTES} bytes`;
  expect(await Array.fromAsync(entries)).toMatchObject([{ skipped: { handle: 'wide', reason } }]);
});

it.each([65_536, 20_000_000])(
  'a line of 10 MiB is read, and one of a byte more is not, in chunks of %i bytes',
  async (size) => {
    const line = JSON.stringify({ handle: 'tee', name: 'Tee', type: 'PHYSICAL', variants: [{ prices: [] }] });
    const file = Buffer.from([line.padEnd(MAX_BYTES), line.padEnd(MAX_BYTES + 1), line].join('\n'));
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (let from = 0; from < file.length; from += size)
        yield await Promise.resolve(file.subarray(from, from + size));
    }
    expect(await Array.fromAsync(readLines(chunks()))).toMatchObject([
      { product: { line: 1, bytes: MAX_BYTES } },
      { skipped: { line: 2, handle: null, reason: `has more than ${MAX_BYTES} bytes` } },
      { product: { line: 3 } },
    ]);
  },
);

it('columns with the same title count once', async () => {
  const ctx = await createContext(database.db);
  const sheet = `Handle,Title,Variant Price${',Title'.repeat(10_000)}\ntee,Tee,1${',Other'.repeat(10_000)}\n`;
  const { created, ignoredColumns } = await importFile(ctx, 'csv', sheet);
  expect({ created, ignored: ignoredColumns.length }).toEqual({ created: 1, ignored: 10_000 });
  expect((await listProduct(ctx, {}, { data: { name: {} } })).data).toEqual([{ name: 'Tee' }]);
});

it('a compressed file is refused because it is not text, without unpacking it', async () => {
  const ctx = await createContext(database.db);
  const bomb = gzipSync(Buffer.alloc(100_000_000));
  await expect(importFile(ctx, 'csv', bomb)).rejects.toThrow('The file cannot be read as CSV: it is not UTF-8 text');
  const { created, skipped } = await importFile(ctx, 'jsonl', bomb);
  expect(created).toBe(0);
  expect(skipped[0]).toMatchObject({ line: 1, handle: null, reason: 'is not UTF-8 text' });
});

it('a cell with 200,000 stock locations is read in one pass', () => {
  const cell = Array.from({ length: 200_000 }, (_, index) => `l\\=${index}=${index}`).join(';');
  const counts = parseStocks(cell);
  expect(counts).toHaveLength(200_000);
  expect(counts.at(-1)).toEqual({ label: 'l=199999', count: 199_999 });
});

it('a line with more than a million values is skipped before its mistakes are collected', async () => {
  const line = { handle: 'tee', name: 'Tee', type: 'PHYSICAL', variants: Array(1_000_000).fill(0) };
  const chunk = await Promise.resolve(Buffer.from(JSON.stringify(line)));
  const skipped = { line: 1, handle: null, reason: 'has more than 1,000,000 values' };
  expect(await Array.fromAsync(readLines(Readable.from([chunk])))).toMatchObject([{ skipped }]);
});

it('a cell with more than a million values is refused before its mistakes are collected', () => {
  const cell = JSON.stringify(Array(1_000_001).fill(0));
  const { shape } = productLine;
  expect(() => parseValue(cell, shape.translations)).toThrow('has more than 1,000,000 values');
});

describe('values of variant types are read in one pass,', () => {
  const names = Array.from({ length: 200_000 }, (_, index) => `v${index}`);

  it('as those of a variant', () => {
    const variantValues = names.map((name) => ({ variantTypeName: 'Size', variantValueName: name }));
    const line = { handle: 'tee', name: 'Tee', type: 'PHYSICAL' as const };
    const product = { warnings: () => [] } as unknown as FileProduct;
    const read = { line, variants: [{ line: { prices: [], variantValues }, known: undefined }] };
    expect(new Slips().find(product, read)).toEqual([]);
  });

  it('in a cell with the options of a product', async () => {
    const options = JSON.stringify([{ name: 'Size', order: 0, values: names }]);
    const sheet = sheetOf({ Handle: 'tee', Title: 'Tee', 'Variant Price': '1', 'Commerce / Options': options });
    const { entries } = await readCsv(Readable.from([Buffer.from(sheet)]));
    const [entry] = await Array.fromAsync(entries);
    const { line } = entry!.product!.read(undefined, {} as NamedRecords, {});
    expect(line.productVariantTypes![0]!.variantValues).toHaveLength(names.length);
  });

  it('of as many variant types', () => {
    const values = names.map((name) => ({ variantTypeName: name, variantValueName: name }));
    expect(shownTypes(names, [values])).toHaveLength(names.length);
  });

  it('and their cells are found', async () => {
    const options = Array.from({ length: 20 }, (_, index) => `Option${index + 1}`);
    const rows = Array.from({ length: 2_000 }, (_, row) => ({
      Handle: 'tee',
      'Variant Price': '1',
      ...Object.fromEntries(
        options.flatMap((option) => [
          [`${option} Name`, row === 0 ? option : ''],
          [`${option} Value`, inCase('abcdefghijkl', row)],
        ]),
      ),
    }));
    const { entries } = await readCsv(
      Readable.from([Buffer.from(sheetOf({ ...rows[0], Title: 'Tee' }, ...rows.slice(1)))]),
    );
    const [entry] = await Array.fromAsync(entries);
    const read = entry!.product!.read(undefined, {} as NamedRecords, {});
    const found = new Slips().find(entry!.product!, read);
    expect(found).toHaveLength(20 * 1_999);
    expect(found.at(-1)).toMatchObject({ row: 2_001, column: 'AP' });
  });

  it('and those that variants use are added once to a type that is there many times', () => {
    const used = names.map((name) => ({ variantTypeName: 'Size', variantValueName: name }));
    const types = names.map((_, order) => ({ order, variantTypeName: 'Size', variantValues: [] }));
    const values = withUsedValues(types, used, []).flatMap(({ variantValues }) => variantValues);
    expect(values).toHaveLength(names.length);
  });
});

/** The text with the letters in upper case that are bits of the number. */
function inCase(text: string, bits: number): string {
  return Array.from(text, (letter, index) => ((bits >> index) & 1 ? letter.toUpperCase() : letter)).join('');
}
