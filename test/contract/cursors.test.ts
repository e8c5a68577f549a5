import { sql } from 'drizzle-orm';
import { isInputObjectType, isNonNullType, getNullableType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { operations, startOperations } from '../support/operation.ts';

/** Lists with a cursor that need no other argument. */
const lists = [...operations].flatMap(([name, { field }]) => {
  const type = getNullableType(field.type);
  const hasCursor = isObjectType(type) && 'endCursor' in type.getFields();
  const isPaged = field.args.some(({ name: own, type: input }) => own === 'pagination' && isInputObjectType(input));
  return hasCursor && isPaged && !field.args.some(({ type: input }) => isNonNullType(input)) ? [name] : [];
});

/** Each list with pages in six orders, its table, and a column that has no default. */
const ORDERED: [operation: string, table: string, column: string, value: string][] = [
  ['categoryPage', 'category', 'deleted', 'false'],
  ['productBrandPage', 'product_brand', 'deleted', 'false'],
  ['productTagPage', 'product_tag', 'deleted', 'false'],
  ['variantTypePage', 'variant_type', 'selection_type', 'choice'],
  ['priceListPage', 'price_list', 'currency', 'EUR'],
  ['salesChannelPage', 'sales_channel', 'type', 'POS'],
  ['productAttributePage', 'product_attribute', 'type', 'TEXT'],
  ['stockLocationPage', 'stock_location', 'deleted', 'false'],
  ['listProduct', 'product', 'type', 'PHYSICAL'],
];
const SORTS = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'name', '-name'];
/** Rows of each merchant. Both merchants' rows have the same times and names. */
const ROWS = 12;
const LIMIT = 5;

type Row = { id: string; name: string; createdAt: number; updatedAt: number };
type Page = { count: number; data: Row[]; endCursor: string };

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;

beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
  ctx = await createContext(database.db);
  for (const name of ['ProductBrand', 'ProductTag', 'Category', 'PriceList', 'SalesChannel', 'Customer'])
    await save(name, {
      ...(name === 'Customer' ? { firstName: 'Ada' } : { name: 'One' }),
      ...(name === 'PriceList' ? { currency: 'EUR' } : {}),
      ...(name === 'SalesChannel' ? { type: 'APP' } : {}),
    });
  const place = await save('StockLocation', { name: 'Shop' });
  const variants = [{ prices: [{ sellPrice: 1 }] }];
  const product = await save('Product', { name: 'Shirt', type: 'PHYSICAL', variants });
  const counted = { productId: product.id, variantId: product.variants![0]!.id, stockLocationId: place.id };
  await server.call(ctx, 'adjustStock', { input: [{ ...counted, delta: 5, key: 'a' }] });
  const hold = { ...counted, quantity: 1, key: 'h', expiresAt: Date.now() + 60_000 };
  await server.call(ctx, 'holdStock', { input: [hold] });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function save(type: string, input: object): Promise<{ id: string; variants?: { id: string }[] }> {
  const { data, errors } = await server.call(ctx, `save${type}`, { input });
  expect(errors).toBeUndefined();
  return data![`save${type}`] as { id: string; variants?: { id: string }[] };
}

async function list(name: string, after?: string) {
  return await server.query(
    ctx,
    `{ ${name}${after === undefined ? '' : `(pagination: { after: "${after}" })`} { count endCursor } }`,
  );
}

it('every list refuses the cursors of all other lists', async () => {
  const cursors = new Map<string, string>();
  for (const name of lists) {
    const { data, errors } = await list(name);
    expect(errors, name).toBeUndefined();
    const { endCursor } = data![name] as { endCursor: string | null };
    if (endCursor !== null) cursors.set(name, endCursor);
  }
  expect(cursors.size).toBeGreaterThanOrEqual(12);
  const accepted: string[] = [];
  for (const name of lists)
    for (const [other, cursor] of cursors) {
      const { errors } = await list(name, cursor);
      if (!errors) accepted.push(`${name} the cursor of ${other}`);
      else expect(errors[0]!.extensions).toMatchObject({ issues: [{ path: ['pagination', 'after'] }] });
    }
  expect(accepted).toEqual([...cursors.keys()].map((name) => `${name} the cursor of ${name}`));
});

// docs/reliability-tests.md: 54
it("with another merchant's cursor, each list has only its own rows after it, in every order", async () => {
  const [stranger, other] = [await createContext(database.db), await createContext(database.db)];
  await insertAlternately(stranger.merchantId, other.merchantId);
  for (const [operation] of ORDERED)
    for (const sort of SORTS) {
      const own = await page(other, operation, { sort });
      const foreign = await page(stranger, operation, { sort, limit: LIMIT });
      const last = foreign.data.at(-1)!;
      expect(own.data.some(({ id }) => id === last.id)).toBe(false);
      const { count, data } = await page(other, operation, { sort, after: foreign.endCursor });
      expect(data, `${operation} ${sort}`).toEqual(own.data.filter((row) => isBehind(row, last, sort)));
      expect(data.length).toBeGreaterThan(0);
      expect(count).toBe(ROWS);
    }
});

/** Inserts rows of both merchants alternately, so that their ids alternate too. */
async function insertAlternately(...merchantIds: string[]): Promise<void> {
  for (const [, table, column, value] of ORDERED)
    await database.owner.execute(sql`
      insert into ${sql.identifier(table)} (merchant_id, name, created_at, updated_at, ${sql.identifier(column)})
      select merchant::uuid, 'Row ' || lpad(n::text, 2, '0'), '2026-01-01'::timestamptz + n / 3 * interval '1 day',
        '2026-02-01'::timestamptz + n % 5 * interval '1 day', ${sql.raw(`'${value}'`)}
      from generate_series(1, ${ROWS}::int) as n, unnest(${`{${merchantIds.join()}}`}::text[]) as merchant`);
}

async function page(
  merchant: Context,
  operation: string,
  { sort, ...pagination }: { sort: string; limit?: number; after?: string },
): Promise<Page> {
  const query = `query ($sort: String, $pagination: PaginationInput) { ${operation}(sort: $sort, pagination: $pagination) {
    count endCursor data { id name createdAt updatedAt } } }`;
  const { data, errors } = await server.query(merchant, query, { sort, pagination });
  expect(errors).toBeUndefined();
  return data![operation] as Page;
}

/** Whether a row comes after another one in the documented order. */
function isBehind(row: Row, other: Row, sort: string): boolean {
  const name = sort.replace('-', '') as 'createdAt' | 'updatedAt' | 'name';
  if (row[name] === other[name]) return row.id > other.id;
  return row[name] > other[name] !== sort.startsWith('-');
}
