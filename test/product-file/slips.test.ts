import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { importText, sheetOf } from './csv/sheets.ts';
import { importFile, tryFile } from './files.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const tee = { Handle: 'tee', Title: 'Tee', 'Variant Price': '1', 'Variant SKU': 'S-1' };
const mug = { ...tee, Handle: 'mug', Title: 'Mug' };

describe('an import warns, and imports', () => {
  it('a product of an export whose handle another product has, with both source ids', async () => {
    const ctx = await createContext(database.db);
    await importText(ctx, sheetOf({ ...tee, 'Commerce / Source ID': '0001234' }));
    const changed = { ...tee, 'Commerce / Source ID': '1234', 'Commerce / Updated At': '2026-01-31T12:00:00Z' };
    const warning = {
      line: 2,
      row: 2,
      handle: 'tee',
      reason: 'has the source id "1234", but the product with its handle has "0001234": it would be another product',
    };
    const expected = { created: 1, skipped: [], warnings: [warning] };
    expect(await tryFile(ctx, 'csv', sheetOf(changed))).toMatchObject(expected);
    expect(await importText(ctx, sheetOf(changed))).toMatchObject(expected);
  });

  it('no product without the times of an export, though another product has its handle', async () => {
    const ctx = await createContext(database.db);
    await importText(ctx, sheetOf({ ...tee, 'Commerce / Source ID': 'a' }));
    const other = { ...tee, 'Variant SKU': 'S-2', 'Commerce / Source ID': 'b' };
    const { created, warnings } = await importText(ctx, sheetOf(other));
    expect({ created, warnings }).toEqual({ created: 1, warnings: undefined });
  });

  it('a sku that two products have, with the row and the column, also in a dry run and when nothing changes', async () => {
    const ctx = await createContext(database.db);
    const sheet = sheetOf(tee, mug, { ...mug, Handle: 'cup', 'Variant SKU': 'S-2' });
    const warning = {
      line: 3,
      row: 3,
      column: 'D',
      handle: 'mug',
      reason: 'Variant SKU "S-1" is the sku of the product "tee" too, in row 2',
    };
    const expected = { skipped: [], warningCount: 1, warnings: [warning] };
    expect(await tryFile(ctx, 'csv', sheet)).toMatchObject({ created: 3, ...expected });
    expect(await importText(ctx, sheet)).toMatchObject({ created: 3, ...expected });
    expect(await importText(ctx, sheet)).toMatchObject({ unchanged: 3, ...expected });
  });

  it('a sku that two products of different batches have, and that two variants of a product have', async () => {
    const ctx = await createContext(database.db);
    const lines = Array.from({ length: 1_002 }, (_, index) => ({
      handle: `p-${index}`,
      name: 'P',
      type: 'PHYSICAL',
      variants: [{ sku: index === 1_001 ? 'sku-0' : `sku-${index}`, prices: [{ sellPrice: 1 }] }],
    }));
    const { created, warnings } = await importFile(ctx, 'jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
    const reason = 'variants.0.sku: "sku-0" is the sku of the product "p-0" too, in line 1';
    expect([created, warnings]).toEqual([1_002, [{ line: 1_002, handle: 'p-1001', reason }]]);
    const sized = { ...tee, 'Option1 Name': 'Size', 'Option1 Value': 'S' };
    expect(await importText(ctx, sheetOf(sized, { ...sized, 'Option1 Value': 'M' }))).toMatchObject({
      created: 1,
      warnings: [{ row: 3, reason: 'Variant SKU "S-1" is the sku of another variant of the product too, in row 2' }],
    });
  });

  it('a value that a variant type has twice, or in two cases', async () => {
    const ctx = await createContext(database.db);
    const colour = { ...tee, 'Option1 Name': 'Colour', 'Option1 Value': 'red' };
    const options = JSON.stringify([{ name: 'Colour', order: 0, values: ['red', 'blue', ' red'] }]);
    const sheet = sheetOf(
      { ...colour, 'Commerce / Options': options },
      { ...colour, Handle: 'mug', 'Variant SKU': 'S-2', 'Option2 Name': 'Colour', 'Option2 Value': 'red' },
      { ...colour, Handle: 'cup', 'Variant SKU': 'S-3' },
      { ...colour, Handle: 'cup', 'Variant SKU': 'S-4', 'Option1 Value': 'Red' },
    );
    const { created, skipped, warnings } = await importText(ctx, sheet);
    expect([created, skipped]).toEqual([3, []]);
    expect(warnings!.map(({ row, column, reason }) => `${row} ${column} ${reason}`)).toEqual([
      '2 G Commerce / Options has the value "red" of "Colour" twice',
      '3 I Option2 Value "red" is there twice for "Colour"',
      '5 F Option1 Value "Red" differs from "red" only in case ("Colour")',
    ]);
    const values = [{ name: 'red' }, { name: 'red' }];
    const line = {
      handle: 'line',
      name: 'Line',
      type: 'PHYSICAL',
      productVariantTypes: [{ order: 0, variantTypeName: 'Colour', variantValues: values }],
      variants: [{ prices: [{ sellPrice: 1 }] }],
    };
    expect(await importFile(ctx, 'jsonl', JSON.stringify(line))).toMatchObject({
      created: 1,
      warnings: [{ reason: 'productVariantTypes.0.variantValues.1.name: "red" is there twice ("Colour")' }],
    });
  });

  it('of nothing in the catalogue of examples/, so that the answer is what it was', async () => {
    const ctx = await createContext(database.db);
    const example = readFileSync(new URL('../../examples/catalogue.csv', import.meta.url), 'utf8');
    expect(Object.keys(await importText(ctx, example))).not.toContain('warnings');
  });

  it('up to 1,000 times, and counts all', async () => {
    const ctx = await createContext(database.db);
    const rows = Array.from({ length: 1_202 }, (_, index) => ({ ...tee, Handle: `p-${index}` }));
    for (const read of [tryFile, importFile]) {
      const { warnings, warningCount } = await read(ctx, 'csv', sheetOf(...rows));
      expect([warnings!.length, warningCount]).toEqual([1_000, 1_201]);
    }
  });
});
