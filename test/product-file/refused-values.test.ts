import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

it('skips the product that PostgreSQL refuses without saying which one, and imports the others', async () => {
  const ctx = await createContext(database.db);
  const rows = ['Bowl', 'Cup', 'Mug', 'Plate', 'Spoon'].map((name) => ({
    Handle: name.toLowerCase(),
    Title: name,
    'Variant Price': '1',
  }));
  const { created, skipped } = await importText(ctx, sheetOf(...rows));
  expect([created, skipped]).toEqual([
    4,
    [{ line: 4, row: 4, handle: 'mug', reason: expect.stringContaining('no_mug') }],
  ]);
  const { data } = await listProduct(ctx, { sort: 'name' }, { data: { name: {} } });
  expect(data.map(({ name }) => name)).toEqual(['Bowl', 'Cup', 'Plate', 'Spoon']);
});
