import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;

beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
  ctx = await createContext(database.db);
  await server.call(ctx, 'saveCustomer', { input: { firstName: 'Ada' } });
  const variants = [{ prices: [{ sellPrice: 1 }] }];
  const { data } = await server.call(ctx, 'saveProduct', { input: { name: 'Shirt', type: 'PHYSICAL', variants } });
  const place = await server.call(ctx, 'saveStockLocation', { input: { name: 'Shop' } });
  const { id: productId, variants: saved } = data!.saveProduct as { id: string; variants: { id: string }[] };
  const { id: stockLocationId } = place.data!.saveStockLocation as { id: string };
  const count = { productId, variantId: saved[0]!.id, stockLocationId, stockCount: 3 };
  await server.call(ctx, 'saveProductStockLocations', { input: { productStockLocationInputs: [count] } });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function write(table: string, column: string, value: string): Promise<unknown> {
  return await database.db.execute(
    sql`update ${sql.identifier(table)} set ${sql.identifier(column)} = ${value} where merchant_id = ${ctx.merchantId}`,
  );
}

/** The columns are read by these fields. */
async function shown(): Promise<unknown> {
  return await server.query(
    ctx,
    `{
      listCustomer { data { birthDate createdAt gender totalOrderPrice } endCursor }
      listProduct { data { type weight releaseDate totalStock } }
      listProductStockLocation { data { stockCount availableCount } }
    }`,
  );
}

it.each(['infinity', '-infinity', '10000-01-01Z', '9999-12-31 23:59:59.9996Z', '0001-12-31Z BC'])(
  'plain SQL cannot store the time %s',
  async (time) => {
    const before = await shown();
    for (const [table, column] of [
      ['customer', 'birth_date'],
      ['customer', 'created_at'],
      ['product', 'release_date'],
    ] as const) {
      const refusal = `violates check constraint "${table}_years_1_to_9999"`;
      await expect(write(table, column, time)).rejects.toMatchObject({
        cause: { code: '23514', message: expect.stringContaining(refusal) as string },
      });
    }
    expect(await shown()).toEqual(before);
  },
);

it.each(['NaN', 'Infinity', '-Infinity'])('plain SQL cannot store the number %s', async (number) => {
  const before = await shown();
  for (const [table, column, hasScale] of [
    ['product', 'weight', false],
    ['customer', 'total_order_price', true],
    ['product_stock_location', 'stock_count', true],
  ] as const) {
    const isOverflow = hasScale && number !== 'NaN';
    const refusal = isOverflow ? 'numeric field overflow' : `violates check constraint "${table}_finite_numbers"`;
    await expect(write(table, column, number)).rejects.toMatchObject({
      cause: { message: expect.stringContaining(refusal) as string },
    });
  }
  expect(await shown()).toEqual(before);
});

it.each([
  ['product', 'type', 'physical'],
  ['customer', 'gender', 'a"b'],
  ['stock_location', 'delivery_time', ''],
  ['merchant', 'region', 'XX'],
])('plain SQL cannot store in %s.%s the text %j, which is no value of its enum', async (table, column, text) => {
  const before = await shown();
  const refusal = `violates check constraint "${table}_enum_values"`;
  await expect(write(table, column, text)).rejects.toMatchObject({
    cause: { code: '23514', message: expect.stringContaining(refusal) as string },
  });
  expect(await shown()).toEqual(before);
});

it('a list whose times are the last that can be stored has a cursor that continues it', async () => {
  await write('customer', 'created_at', '9999-12-31 23:59:59.999Z');
  const { data } = await server.call(ctx, 'listCustomer', { sort: 'createdAt' });
  const { endCursor } = data!.listCustomer as { endCursor: string };
  const next = await server.call(ctx, 'listCustomer', { sort: 'createdAt', pagination: { after: endCursor } });
  expect(next.data!.listCustomer).toMatchObject({ count: 1, data: [] });
});
