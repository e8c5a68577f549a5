import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { savePriceList } from '../../src/price-list/savePriceList.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { importText, sheetOf } from './csv/sheets.ts';
import { importFile } from './files.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  await database.owner.execute(sql`alter table product add constraint no_mug check (name <> 'Mug')`);
});
afterAll(() => database.drop());

it('names all mistakes that the service finds, of each of several products', async () => {
  const ctx = await createContext(database.db);
  const variants = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ sku: `${n}`.padEnd(300, 'x'), prices: [{ sellPrice: 1 }] }));
  const lines = [48, 20, 60].map((count, n) => ({
    handle: `p-${n}`,
    name: `P ${n}`,
    type: 'PHYSICAL',
    variants: variants(count),
  }));
  const { skipped } = await importFile(ctx, 'jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
  expect(skipped.map(({ mistakes }) => mistakes?.length)).toEqual([48, 20, 60]);
});

const TOO_MANY = Array.from({ length: 1_001 }, (_, n) => `${n}`);
const PRICES = [{ sellPrice: 1 }];

it.each<[string, object]>([
  ['tags', { tags: TOO_MANY.map((name) => ({ name })) }],
  ['translations', { translations: TOO_MANY.map((locale) => ({ locale })) }],
  ['variants.0.barcodeList', { variants: [{ prices: PRICES, barcodeList: TOO_MANY }] }],
])('refuses more %s than the API', async (member, members) => {
  const ctx = await createContext(database.db);
  const line = { handle: 'tee', name: 'Tee', type: 'PHYSICAL', variants: [{ prices: PRICES }], ...members };
  const { created, skipped } = await importFile(ctx, 'jsonl', JSON.stringify(line));
  expect([created, skipped[0]?.mistakes]).toEqual([
    0,
    [{ line: 1, reason: `${member}: must have at most 1000 entries` }],
  ]);
});

it('refuses more tags in a cell than the API', async () => {
  const ctx = await createContext(database.db);
  const row = { Handle: 'tee', Title: 'Tee', 'Variant Price': '1', Tags: TOO_MANY.join(',') };
  const { created, skipped } = await importText(ctx, sheetOf(row));
  const reason = 'Tags must have at most 1000 entries';
  expect([created, skipped[0]?.mistakes]).toEqual([0, [{ line: 2, row: 2, column: 'D', reason }]]);
});

it('refuses more products in a bundle than the API', async () => {
  const ctx = await createContext(database.db);
  const products = TOO_MANY.map((id) => ({ id, product: 'tee', variants: [], quantity: 1, order: 0 }));
  const variants = [{ prices: PRICES, bundle: { products } }];
  const line = { handle: 'set', name: 'Set', type: 'BUNDLE', variants };
  const { created, skipped } = await importFile(ctx, 'jsonl', JSON.stringify(line));
  const reason = 'variants.0.bundle.products: must have at most 1000 entries';
  expect([created, skipped[0]?.mistakes]).toEqual([0, [{ line: 1, reason }]]);
});

it('changes one price of a variant that has more of them than a request of a client can send', async () => {
  const ctx = await createContext(database.db);
  const prices = await Promise.all(
    TOO_MANY.map(async (name) => {
      await savePriceList(ctx, { input: { name, currency: 'USD' } as never }, { id: {} });
      return { priceList: name, sellPrice: 2 };
    }),
  );
  const lineOf = (sellPrice: number) =>
    JSON.stringify({
      handle: 'dear',
      name: 'Dear',
      type: 'PHYSICAL',
      variants: [{ prices: [{ sellPrice }, ...prices] }],
    });
  expect(await importFile(ctx, 'jsonl', lineOf(1))).toMatchObject({ created: 1, skipped: [] });
  expect(await importFile(ctx, 'jsonl', lineOf(3))).toMatchObject({ updated: 1, skipped: [] });
});

it('replaces all variants of a product with 600 by 600 others', async () => {
  const ctx = await createContext(database.db);
  const lineOf = (prefix: string) => {
    const variants = TOO_MANY.slice(0, 600).map((n) => ({ prices: PRICES, sourceId: prefix + n, sku: prefix + n }));
    return JSON.stringify({ handle: 'many', name: 'Many', type: 'PHYSICAL', variants });
  };
  await importFile(ctx, 'jsonl', lineOf('a'));
  expect(await importFile(ctx, 'jsonl', lineOf('b'))).toMatchObject({ updated: 1, skipped: [] });
});

it('skips the product that PostgreSQL refuses without saying which one, and imports the others', async () => {
  const ctx = await createContext(database.db);
  const rows = ['Bowl', 'Cup', 'Mug', 'Plate', 'Spoon'].map((name) => ({
    Handle: name.toLowerCase(),
    Title: name,
    'Variant Price': '1',
  }));
  const { created, skipped } = await importText(ctx, sheetOf(...rows));
  const reason = expect.stringContaining('no_mug');
  expect([created, skipped]).toEqual([
    4,
    [{ line: 4, row: 4, handle: 'mug', reason, mistakes: [{ line: 4, row: 4, reason }] }],
  ]);
  const { data } = await listProduct(ctx, { sort: 'name' }, { data: { name: {} } });
  expect(data.map(({ name }) => name)).toEqual(['Bowl', 'Cup', 'Plate', 'Spoon']);
});
