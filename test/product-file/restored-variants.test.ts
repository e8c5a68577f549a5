import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { catalogue, sheetOf } from './csv/sheets.ts';
import { exportFile, type Format, importFile } from './files.ts';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createContext(database.db);
});

const SIZES = ['S', 'M'];

const FILES: Record<Format, (sizes: string[], barcodes?: string[]) => string> = {
  csv: (sizes, barcodes = []) =>
    sheetOf(
      ...sizes.map((size) => ({
        Handle: 'tee',
        Title: 'Tee',
        'Option1 Name': 'Size',
        'Option1 Value': size,
        'Variant SKU': `tee-${size}`,
        'Variant Price': '1',
        'Variant Barcode': barcodes.join(),
      })),
    ),
  jsonl: (sizes, barcodes = []) =>
    JSON.stringify({
      handle: 'tee',
      name: 'Tee',
      type: 'PHYSICAL',
      variants: sizes.map((size) => ({
        sku: `tee-${size}`,
        barcodeList: barcodes,
        prices: [{ sellPrice: 1 }],
        variantValues: [{ variantTypeName: 'Size', variantValueName: size }],
      })),
    }),
};

const CREATED = { created: 1, skipped: [] };
const UPDATED = { updated: 1, skipped: [] };
const UNCHANGED = { unchanged: 1, updated: 0, skipped: [] };

describe.each<Format>(['csv', 'jsonl'])('an import of %s restores a deleted variant', (format) => {
  const file = FILES[format];

  it('that the file has again, and changes nothing the next time', async () => {
    expect(await importFile(ctx, format, file(SIZES))).toMatchObject(CREATED);
    const before = await catalogue(ctx);
    expect(await importFile(ctx, format, file(['S']))).toMatchObject(UPDATED);
    expect(await importFile(ctx, format, file(SIZES))).toMatchObject(UPDATED);
    expect(await catalogue(ctx)).toEqual(before);
    expect(await importFile(ctx, format, file(SIZES))).toMatchObject(UNCHANGED);
  });

  it('as the file has it, without the values that it had', async () => {
    expect(await importFile(ctx, format, file(SIZES, ['4006381333931']))).toMatchObject(CREATED);
    expect(await importFile(ctx, format, file(['S']))).toMatchObject(UPDATED);
    expect(await importFile(ctx, format, file(SIZES))).toMatchObject(UPDATED);
    expect(await importFile(ctx, format, file(SIZES))).toMatchObject(UNCHANGED);
  });

  it('that an earlier export has, with --keep sheet', async () => {
    expect(await importFile(ctx, format, file(SIZES))).toMatchObject(CREATED);
    const { text } = await exportFile(ctx, format);
    const before = await catalogue(ctx);
    expect(await importFile(ctx, format, file(['M']))).toMatchObject(UPDATED);
    expect(await importFile(ctx, format, text, { keep: 'sheet' })).toMatchObject(UPDATED);
    expect(await catalogue(ctx)).toEqual(before);
    expect(await importFile(ctx, format, text)).toMatchObject(UNCHANGED);
  });
});
