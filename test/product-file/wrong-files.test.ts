import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sheetOf } from './csv/sheets.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { exportFile, type Format, FORMATS, importFile, tryFile } from './files.ts';

const REPEATED = 'is a product that the file has on line 1 already';
/** One more than the products of a batch. */
const MANY = 1_001;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

type Product = { handle: string; name: string; attributes?: object[]; sku?: string };

const WRITE: Record<Format, (products: Product[]) => string> = {
  csv: (products) =>
    sheetOf(
      ...products.map(({ handle, name, attributes }) => ({
        Handle: handle,
        Title: name,
        'Variant Price': '1',
        'Commerce / Attributes': attributes ? JSON.stringify(attributes) : '',
      })),
    ),
  jsonl: (products) => linesOf(products.map((product) => ({ ...product }))),
};

function linesOf(products: object[]): string {
  const plain = { name: 'A', type: 'PHYSICAL', variants: [{ prices: [{ sellPrice: 1 }] }] };
  return products.map((product) => JSON.stringify({ ...plain, ...product })).join('\n');
}

describe.each(Object.keys(FORMATS) as Format[])('an import of %s', (format) => {
  it('skips the products whose attributes cannot be created, and imports the others', async () => {
    const ctx = await createContext(database.db);
    const entry = (attribute: object) => [{ type: 'TEXT', value: 'x', ...attribute }];
    const file = WRITE[format]([
      { handle: 'a', name: 'A', attributes: entry({ attribute: 'Care' }) },
      { handle: 'b', name: 'B', attributes: entry({ attribute: 'Other', type: 'NONSENSE' }) },
      { handle: 'c', name: 'C', attributes: entry({ attribute: 'x'.repeat(300) }) },
      { handle: 'd', name: 'D' },
    ]);
    const first = format === 'csv' ? 2 : 1;
    const skipped = [
      { line: first + 1, handle: 'b', reason: expect.stringContaining('attributes') },
      { line: first + 2, handle: 'c', reason: expect.stringMatching(/attribute .* is refused: .*name/) },
    ].map((entry, index) =>
      format === 'csv' && index === 0 ? { ...entry, reason: expect.stringContaining('Commerce / Attributes') } : entry,
    );
    expect(await tryFile(ctx, format, file)).toMatchObject({ created: 2, skipped });
    expect(await importFile(ctx, format, file)).toMatchObject({ created: 2, skipped });
  });
});

describe('an import of JSON lines', () => {
  it('skips the second of two lines of one product, also in another batch, and if the first one changes nothing', async () => {
    const ctx = await createContext(database.db);
    const fillers = Array.from({ length: MANY }, (_, n) => ({ handle: `p-${n}`, name: 'P' }));
    const products = [{ handle: 'a', name: 'First' }, ...fillers, { handle: 'a', name: 'Second' }];
    for (const read of [tryFile, importFile, importFile]) {
      const { skipped } = await read(ctx, 'jsonl', linesOf(products));
      expect(skipped).toMatchObject([{ line: products.length, handle: 'a', reason: REPEATED }]);
    }
    expect((await exportFile(ctx, 'jsonl')).text).not.toContain('Second');
  });

  it('skips the second of two lines of one product, the first with its handle, the second with its source id', async () => {
    const ctx = await createContext(database.db);
    await importFile(ctx, 'jsonl', linesOf([{ handle: 'a', sourceId: 'erp-1' }]));
    const file = linesOf([
      { handle: 'a', name: 'B' },
      { handle: 'b', sourceId: 'erp-1', name: 'C' },
    ]);
    expect(await importFile(ctx, 'jsonl', file)).toMatchObject({
      updated: 1,
      skipped: [{ line: 2, handle: 'b', reason: REPEATED, mistakes: [{ line: 2, reason: REPEATED }] }],
    });
  });

  it('skips the second of two lines of one product, the first of which has an unknown member', async () => {
    const ctx = await createContext(database.db);
    const file = linesOf([{ handle: 'a', bar: 1 }, { handle: 'a' }, { handle: 'b' }]);
    expect(await importFile(ctx, 'jsonl', file)).toMatchObject({
      created: 1,
      skipped: [
        { line: 1, handle: 'a' },
        { line: 2, handle: 'a', reason: REPEATED },
      ],
    });
  });

  it('skips the second of two lines with one source id, the first of which has an unknown member', async () => {
    const ctx = await createContext(database.db);
    const file = linesOf([
      { handle: 'a', sourceId: 'erp-1', bar: 1 },
      { handle: 'b', sourceId: 'erp-1' },
    ]);
    expect(await importFile(ctx, 'jsonl', file)).toMatchObject({
      created: 0,
      skipped: [
        { line: 1, handle: 'a' },
        { line: 2, handle: 'b', reason: REPEATED },
      ],
    });
  });

  it('skips the second of two lines of one product, the first of which has an attribute that cannot be created', async () => {
    const ctx = await createContext(database.db);
    const file = linesOf([
      { handle: 'a', attributes: [{ type: 'TEXT', value: 'x', attribute: 'x'.repeat(300) }] },
      { handle: 'a' },
    ]);
    expect(await importFile(ctx, 'jsonl', file)).toMatchObject({
      created: 0,
      skipped: [
        { line: 1, handle: 'a' },
        { line: 2, handle: 'a', reason: REPEATED },
      ],
    });
  });

  it('refuses two prices of the same price list', async () => {
    const ctx = await createContext(database.db);
    const prices = [{ sellPrice: 1 }, { sellPrice: 2, priceList: null }];
    expect(await importFile(ctx, 'jsonl', linesOf([{ handle: 'a', variants: [{ prices }] }]))).toMatchObject({
      created: 0,
      skipped: [{ line: 1, handle: 'a', reason: 'variants.0.prices: must not have two rows of one price list' }],
    });
  });
});
