import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import type { ProductDifference } from '../../../src/product-file/import/differences.ts';
import { importCsv } from '../../../src/product-file/csv/import-csv.ts';
import type { Imported } from '../../../src/product-file/import/import-run.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { catalogue, exportText, importText, sheetOf } from './sheets.ts';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const tee = { Handle: 'tee', Title: 'Tee', 'Variant SKU': 'tee-1', 'Variant Price': '12.5', Tags: 'a, b' };
const mug = { Handle: 'mug', Title: 'Mug', 'Variant SKU': 'mug-1', 'Variant Price': '7', Tags: '' };

async function tryImport(sheet: string): Promise<{ imported: Imported; differences: ProductDifference[] }> {
  const differences: ProductDifference[] = [];
  const chunks = (async function* () {
    yield await Promise.resolve(Buffer.from(sheet));
  })();
  const imported = await importCsv(ctx, chunks, {
    retryImages: false,
    onBatch: () => {},
    onDifferences: (found) => differences.push(...found),
  });
  return { imported, differences };
}

describe('a dry run of an import', () => {
  beforeAll(async () => {
    ctx = await createContext(database.db);
    await importText(ctx, sheetOf(tee, mug));
  });

  it('shows each member that would change, with its old and new value, and writes nothing', async () => {
    const before = [await exportText(ctx), await catalogue(ctx)];
    const bad = { ...tee, Handle: 'bad', 'Variant SKU': 'bad-1', 'Variant Price': 'x' };
    const cap = { ...mug, Handle: 'cap', Title: 'Cap', 'Variant SKU': 'cap-1' };
    const sheet = sheetOf({ ...tee, 'Variant Price': '13', Tags: 'a, c' }, mug, bad, cap);
    const { imported, differences } = await tryImport(sheet);
    expect(imported).toMatchObject({ created: 1, updated: 1, unchanged: 1, skipped: [{ handle: 'bad', line: 4 }] });
    expect(differences).toEqual([
      {
        handle: 'tee',
        name: 'Tee',
        change: 'UPDATED',
        outcome: 'WRITTEN',
        reason: null,
        members: [
          { member: 'tags', old: ['a', 'b'], new: ['a', 'c'] },
          { member: 'variants[tee-1].prices.sellPrice', old: 12.5, new: 13 },
        ],
      },
      { handle: 'cap', name: 'Cap', change: 'CREATED', outcome: 'WRITTEN', reason: null, members: expect.any(Array) },
    ]);
    expect(differences[1]!.members).toContainEqual({ member: 'variants[cap-1].prices.sellPrice', old: null, new: 7 });
    expect([await exportText(ctx), await catalogue(ctx)]).toEqual(before);
    expect(await importText(ctx, sheet)).toMatchObject(imported);
    expect((await tryImport(sheet)).differences).toEqual([]);
  });

  it('shows what the service refuses, and creates no stock location that the file names', async () => {
    const own = { ...tee, Handle: 'other', Title: 'x'.repeat(2_000) };
    const sheet = sheetOf({ ...own, 'Variant Inventory Qty': '3', 'Commerce / Inventory / Annex': '2' }, mug);
    const { imported, differences } = await tryImport(sheet);
    expect(imported.skipped).toMatchObject([{ line: 2, handle: 'other', reason: expect.stringContaining('Title') }]);
    expect(differences).toEqual([]);
    expect(await exportText(ctx)).not.toContain('Annex');
  });

  it('shows counts by stock location and removed variants', async () => {
    const rows = [
      { ...mug, Handle: 'sock', Title: 'Sock', 'Option1 Name': 'Size', 'Option1 Value': 'S', 'Variant SKU': 'sock-s' },
      { ...mug, Handle: 'sock', Title: '', 'Option1 Name': 'Size', 'Option1 Value': 'M', 'Variant SKU': 'sock-m' },
    ].map((row) => ({ ...row, 'Variant Inventory Qty': '1', 'Commerce / Inventory / Annex': '2' }));
    await importText(ctx, sheetOf(...rows));
    const changed = sheetOf({ ...rows[0]!, 'Variant Inventory Qty': '5', 'Commerce / Inventory / Annex': '6' });
    const { differences } = await tryImport(changed);
    const found = Object.fromEntries(differences[0]!.members.map(({ member, old, new: now }) => [member, [old, now]]));
    expect(found).toMatchObject({
      'variants[sock-s].stocks': [1, 5],
      'variants[sock-s].stocks[Annex]': [2, 6],
      'variants[sock-m].sku': ['sock-m', null],
    });
  });
});
