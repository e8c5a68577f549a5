import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { savePriceList } from '../../../src/price-list/savePriceList.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { importText, sheetOf } from './sheets.ts';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
  await savePriceList(ctx, { input: { name: 'Wholesale', currency: 'EUR' } }, { id: {} });
});
afterAll(() => database.drop());

const tee = { Handle: 'tee', Title: 'Tee', 'Variant SKU': 'tee-1', 'Variant Price': '12.5' };
const small = { ...tee, 'Option1 Name': 'Size', 'Option1 Value': 'S' };
const medium = { Handle: 'tee', 'Variant SKU': 'tee-2', 'Variant Price': '13', 'Option1 Value': 'M' };

/** Sheets whose import would lose a value, with the line and the reason of the refusal. */
const SHEETS: Record<string, [records: Record<string, string>[], line: number, reason: string]> = {
  'a cost without the price of its list': [
    [{ ...tee, 'Price / Wholesale': '', 'Cost per item / Wholesale': '5' }],
    2,
    'Cost per item / Wholesale has a value, but Price / Wholesale is empty',
  ],
  'a cost without a price column': [
    [{ Handle: 'tee', Title: 'Tee', 'Cost per item': '5' }],
    2,
    'Cost per item has a value, but its price is missing',
  ],
  'an option value without a name': [
    [{ ...small, 'Option1 Name': '' }],
    2,
    'Option1 Value has the value "S", but Option1 Name is empty in the first row of the product',
  ],
  'an option value without a name in a later row': [
    [small, { ...medium, 'Option2 Name': '', 'Option2 Value': 'red' }],
    3,
    'Option2 Value has the value "red", but Option2 Name is empty in the first row of the product',
  ],
  'another option name in a later row': [
    [small, { ...medium, 'Option1 Name': 'Colour' }],
    3,
    'Option1 Name is "Colour", but "Size" in the first row of the product',
  ],
  'another product with the same handle': [
    [small, { ...medium, Title: 'Mug' }],
    3,
    'Title is not that of the first row of this product, on row 2',
  ],
  'another status in a later row': [
    [
      { ...small, Published: 'TRUE', Status: 'active' },
      { ...medium, Published: 'TRUE', Status: 'draft' },
    ],
    3,
    'Status is not that of the first row of this product, on row 2',
  ],
  'a type, a weight and attributes that only a later row has': [
    [
      small,
      {
        ...medium,
        'Commerce / Product Type': 'DIGITAL',
        'Commerce / Product Weight': '2',
        'Commerce / Attributes': JSON.stringify([{ attribute: 'Care', type: 'TEXT', value: 'cold' }]),
      },
    ],
    3,
    ['Product Type', 'Product Weight', 'Attributes']
      .map((title) => `Commerce / ${title} is not that of the first row of this product, on row 2`)
      .join('; '),
  ],
  'a time without a zone': [
    [{ ...tee, 'Commerce / Updated At': '01/02/2026' }],
    2,
    'Commerce / Updated At must be a time such as 2026-01-31T12:00:00Z, not "01/02/2026"',
  ],
  'a negative price in a later row': [
    [small, { ...medium, 'Variant Price': '-13' }],
    3,
    'Variant Price must not be negative',
  ],
  'two faults that the service finds': [
    [
      { ...small, Title: 'x'.repeat(300) },
      { ...medium, 'Variant Price': '-13' },
    ],
    2,
    'Title must have at most 255 characters; row 3: Variant Price must not be negative',
  ],
};

describe('an import of a sheet', () => {
  it.each(Object.entries(SHEETS))('refuses %s with its line and column', async (_, [records, line, reason]) => {
    expect(await importText(ctx, sheetOf(...records))).toMatchObject({
      created: 0,
      skipped: [{ line, handle: 'tee', reason }],
    });
  });

  it('accepts later rows that repeat the members and option names of the product', async () => {
    const members = { Title: 'Tee', Published: 'TRUE', Status: 'active', 'Gift Card': 'false', 'Option1 Name': 'Size' };
    const rows = [
      { ...small, ...members },
      { ...medium, ...members, Title: ' Tee ' },
    ];
    expect(await importText(ctx, sheetOf(...rows))).toMatchObject({ created: 1, skipped: [] });
  });
});
