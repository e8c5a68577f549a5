import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Format, FORMATS, importFile } from './files.ts';

/** Limit of the body of a request to the API. */
const MAX_REQUEST_BYTES = 10 * 2 ** 20;
const LONG = 'long text '.repeat(6_000);
const PRODUCTS = 200;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const HEADER = 'Handle,Title,Body (HTML),Option1 Name,Option1 Value,Variant Price';
const row = (handle: string, size = 'M') => `${handle},Mug,${LONG},Size,${size},1`;
const product = (handle: string) => ({
  handle,
  name: 'Mug',
  type: 'PHYSICAL',
  description: LONG,
  variants: [{ prices: [{ priceList: null, sellPrice: 1 }] }],
});
const WRITE: Record<Format, (handles: string[]) => string> = {
  csv: (handles) => [HEADER, ...handles.map((handle) => row(handle))].join('\n'),
  jsonl: (handles) => handles.map((handle) => JSON.stringify(product(handle))).join('\n'),
};

describe.each(Object.keys(FORMATS) as Format[])('an import of %s', (format) => {
  it('makes batches that are shorter than the longest request of the API, also of long lines', async () => {
    const ctx = await createContext(database.db);
    const handles = Array.from({ length: PRODUCTS }, (_, n) => `mug-${n}`);
    expect(await importFile(ctx, format, WRITE[format](handles))).toMatchObject({ created: PRODUCTS, skipped: [] });
    const requests = await database.db.execute<{ total: number }>(
      sql`select total from bulk_operation where merchant_id = ${ctx.merchantId}`,
    );
    for (const { total } of requests) expect(total * LONG.length).toBeLessThan(MAX_REQUEST_BYTES);
    expect(requests).toHaveLength(2);
  });
});

it('a product of more than 10 MiB in a sheet is skipped, and the next one is imported', async () => {
  const ctx = await createContext(database.db);
  const huge = Array.from({ length: 180 }, (_, n) => row('huge', `size ${n}`));
  const sheet = [HEADER, ...huge, row('mug')].join('\n');
  const { created, skipped } = await importFile(ctx, 'csv', sheet);
  expect({ created, skipped }).toMatchObject({
    created: 1,
    skipped: [{ line: expect.any(Number), handle: 'huge', reason: 'has more than 10485760 bytes' }],
  });
});
