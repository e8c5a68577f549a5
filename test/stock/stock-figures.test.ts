import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { measureStock } from '../../src/http/server/component-metrics.ts';
import { Metrics } from '../../src/http/server/metrics.ts';
import { holdStock } from '../../src/stock/holdStock.ts';
import { saveProductStockLocations } from '../../src/stock/saveProductStockLocations.ts';
import { stockFigures } from '../../src/stock/stock-figures.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { places } from './places.ts';

const DAY_S = 86_400;

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

it('are rows, bytes and the age of the oldest row of each table, for the metrics', async () => {
  const ctx = await createContext(database.db);
  const { needsRelay } = database.placement;
  const before = await stockFigures(database, needsRelay);
  expect(before.map(({ table }) => table)).toEqual(['stock_movement', 'stock_hold', 'stock_key']);
  const [place] = await places(ctx, 1);
  await saveProductStockLocations(ctx, { input: { productStockLocationInputs: [{ ...place!, stockCount: 5 }] } });
  const expiresAt = Date.now() + 60_000;
  const input = ['a', 'b'].map((key) => ({ ...place!, quantity: 1, key, expiresAt }));
  await holdStock(ctx, { input }, { id: {} });
  const ages = { stock_movement: 3, stock_hold: 2, stock_key: 1 };
  for (const [table, days] of Object.entries(ages))
    await ctx.db.execute(sql`
      update ${sql.identifier(table)} set created_at = now() - make_interval(days => ${days}::integer)
      where merchant_id = ${ctx.merchantId}`);

  const metrics = new Metrics();
  const onStock = measureStock(metrics);
  expect(await metrics.read()).not.toContain('stock_rows{');
  const figures = await stockFigures(database, needsRelay);
  onStock(figures);
  const text = await metrics.read();
  for (const [n, { table, rows, bytes, oldestS }] of figures.entries()) {
    // At least, because on a cluster other tests use the same database.
    expect(rows - before[n]!.rows, table).toBeGreaterThanOrEqual(table === 'stock_movement' ? 1 : 2);
    // A row has at least a page, and each of the indexes another two.
    expect(bytes, table).toBeGreaterThan(3 * 8_192);
    expect(oldestS / DAY_S, table).toBeGreaterThanOrEqual(ages[table as keyof typeof ages]);
    expect(text).toContain(`stock_rows{table="${table}"} ${rows}\n`);
    expect(text).toContain(`stock_bytes{table="${table}"} ${bytes}\n`);
    expect(text).toContain(`stock_oldest_row_seconds{table="${table}"} ${oldestS}\n`);
  }
  const counts = (given: typeof figures) => given.map(({ table, rows }) => [table, rows]);
  // No statement takes longer in larger tables.
  expect(counts(await stockFigures(database, needsRelay, { sliceRows: 1 }))).toEqual(counts(figures));
  expect(database.acrossStatements.join()).not.toMatch(/"stock_/);
});
