import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CellError,
  parseBarcodes,
  parseBoolean,
  parseCategories,
  parseDecimal,
  parseTags,
  printBarcodes,
  printCategories,
  printDecimal,
  printTags,
} from '../../../src/product-file/csv/cells.ts';
import { readCsvRows } from '../../../src/product-file/csv/text/read-csv-rows.ts';

const name = fc
  .string({ minLength: 1, unit: 'grapheme' })
  .map((text) => text.normalize('NFC').trim())
  .filter((text) => text !== '');

describe('a cell', () => {
  it('is parsed to exactly the number it was printed from, in grams too', () => {
    fc.assert(
      fc.property(
        fc.double({ noDefaultInfinity: true, noNaN: true, min: -1e25, max: 1e25 }),
        fc.constantFrom(0, 3),
        (value, shift) => {
          expect(parseDecimal(printDecimal(value, shift), -shift)).toBe(value === 0 ? 0 : value);
        },
      ),
    );
    expect([printDecimal(0.1 + 0.2), printDecimal(19.9), printDecimal(0.25, 3), printDecimal(null)]).toEqual([
      '0.30000000000000004',
      '19.9',
      '250',
      '',
    ]);
  });

  it('is parsed to the tags, barcodes and category paths it was printed from', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name), (tags) => {
        expect(parseTags(printTags(tags))).toEqual(tags);
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.string()), (barcodes) => {
        expect(parseBarcodes(printBarcodes(barcodes))).toEqual(barcodes);
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.array(name, { minLength: 1 })), (paths) => {
        expect(parseCategories(printCategories(paths))).toEqual(paths);
      }),
    );
    expect([
      printTags(['a', 'b']),
      printTags(['a, b']),
      printCategories([['Clothes', 'Shirts']]),
      printBarcodes(['1']),
    ]).toEqual(['a, b', '["a, b"]', 'Clothes > Shirts', '1']);
  });

  it('without a name has no category, and names that are empty are left out', () => {
    expect(['', ' > ', 'Clothes >  > Shirts', '[[], [""], ["Shoes"]]'].map(parseCategories)).toEqual([
      [],
      [],
      [['Clothes', 'Shirts']],
      [['Shoes']],
    ]);
  });

  it.each(['', ' ', '1,5,5', '1,234', '1.5,5', '1.', 'abc', '0x10', 'NaN', 'Infinity', '1e99999', '--1', '1 2'])(
    'with the text "%s" is not a number',
    (cell) => {
      expect(() => parseDecimal(cell)).toThrow(CellError);
    },
  );

  it('is true or false in the words of spreadsheets only', () => {
    expect(['TRUE', 'yes', '1', 'False', 'no', '0'].map(parseBoolean)).toEqual([true, true, true, false, false, false]);
    expect(() => parseBoolean('maybe')).toThrow('must be true or false, not "maybe"');
  });
});

describe('rows', () => {
  it('are read as they were written, with the numbers of their first lines, in chunks of any size', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'ü', '🛍', "'") });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constant('x'), cell, cell)),
        fc.integer({ min: 1, max: 9 }),
        async (rows, size) => {
          const text = stringify(rows, { quoted_match: /[\r\n]|^\s|\s$/ });
          const read = await Array.fromAsync(readCsvRows(inChunks(Buffer.from(text), size)));
          expect(read.map(({ cells }) => cells)).toEqual(rows);
          const lines = text.split(/\r\n|\n|\r/);
          expect(read.every(({ line }) => lines[line - 1]!.startsWith('x,'))).toBe(true);
        },
      ),
    );
  });
});

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield await Promise.resolve(bytes.subarray(from, from + size));
}
