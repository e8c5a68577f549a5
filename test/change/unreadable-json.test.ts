import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { actionsOf, eventsOf, forget, register } from '../webhook/ledger.ts';

/** Columns of type `json`, without those of which a trigger reads the members: it refuses such texts. */
const COLUMNS: [table: string, ...columns: string[]][] = [
  ['category', 'conditions', 'sales_channels', 'translations'],
  ['customer', 'addresses', 'attributes', 'price_list_rules'],
  ['html_meta_data', 'metadata_overrides', 'translations'],
  ['price_list', 'rule_list'],
  ['product', 'base_unit', 'translations'],
  ['product_attribute', 'table_template', 'translations'],
  ['product_brand', 'translations'],
  ['product_tag', 'translations'],
  ['sales_channel', 'payment_gateways', 'stock_locations'],
  ['stock_location', 'address', 'translations'],
  ['variant', 'unit'],
  ['variant_type', 'translations'],
];
/** Values of the required columns. `$id` is the id of a product. */
const REQUIRED: Record<string, string> = {
  category: `{"name":"A"}`,
  customer: `{"first_name":"A"}`,
  html_meta_data: `{"target_id":"$id","target_type":"PRODUCT","slug":"a"}`,
  price_list: `{"name":"A","currency":"EUR"}`,
  product: `{"name":"A","type":"PHYSICAL"}`,
  product_attribute: `{"name":"A","type":"TEXT"}`,
  sales_channel: `{"name":"A","type":"POS"}`,
  variant: `{"product_id":"$id","position":0}`,
  variant_type: `{"name":"A","selection_type":"choice"}`,
};
const VALUES = ['"cut \\ud83d"', '"zero \\u0000"', '1e999999'];

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
  await register(ctx, ['store/product/updated', 'store/customer/updated']);
});
afterAll(() => database.drop());

async function insert(table: string, values: string): Promise<string> {
  const id = newId();
  const row = JSON.stringify({ ...(JSON.parse(values) as object), id, merchant_id: ctx.merchantId });
  const names = Object.keys(JSON.parse(row) as object).join(', ');
  await database.db.execute(
    sql`insert into ${sql.identifier(table)} (${sql.raw(names)})
      select ${sql.raw(names)} from json_populate_record(null::${sql.identifier(table)}, ${row})`,
  );
  return id;
}

describe.each(COLUMNS)('JSON in %s that PostgreSQL stores and does not read', (table, ...columns) => {
  it.each(columns.flatMap((column) => VALUES.map((value) => [column, value] as const)))(
    'makes no later write fail: %s with %s',
    async (column, value) => {
      const product = await insert('product', REQUIRED.product!);
      const id = await insert(table, (REQUIRED[table] ?? '{"name":"A"}').replace('$id', product));
      const set = async (change: ReturnType<typeof sql>) =>
        await database.db.execute(
          sql`update ${sql.identifier(table)} set ${change} where merchant_id = ${ctx.merchantId} and id = ${id}`,
        );
      const fill = () => set(sql`${sql.identifier(column)} = ${`[{"value":${value}}]`}::json`);
      await fill();
      await set(sql`deleted = true, updated_at = now() + interval '1 second'`);
      expect((await set(sql`${sql.identifier(column)} = null`)).count).toBe(1);
      await fill();
      await set(sql`deleted = false`);
      const removed = await database.db.execute(
        sql`delete from ${sql.identifier(table)} where merchant_id = ${ctx.merchantId} and id = ${id}`,
      );
      expect(removed.count).toBe(1);
    },
  );
});

it.each(VALUES)('an event is written only if more than the time differs: %s', async (value) => {
  const id = await insert('customer', `{"first_name":"A"}`);
  const set = async (change: ReturnType<typeof sql>) =>
    await database.db.execute(
      sql`update customer set ${change}, updated_at = now() where merchant_id = ${ctx.merchantId} and id = ${id}`,
    );
  await set(sql`attributes = ${`[{"value":${value}}]`}::json`);
  await forget(ctx);
  await set(sql`first_name = first_name`);
  expect(await actionsOf(ctx)).toEqual([]);
  await set(sql`first_name = 'B'`);
  expect(await actionsOf(ctx)).toEqual(['updated 2']);
});

it.each(VALUES)('an event above 1 MiB with such JSON has all texts: %s', async (value) => {
  const id = await insert('customer', `{"first_name":"A"}`);
  await database.db.execute(sql`
    update customer set attributes = ${`[{"value":${value}}]`}::json, note = repeat('x', 1100000)
    where merchant_id = ${ctx.merchantId} and id = ${id}`);
  const [event] = await eventsOf(ctx);
  expect((event!.data.note as string).length).toBe(1_100_000);
});

it.each(VALUES)('the event of a deleted product has such JSON as it was stored: %s', async (value) => {
  await register(ctx, ['store/product/deleted']);
  const id = await insert('product', REQUIRED.product!);
  const translations = `[{"value":${value}}]`;
  await database.db.execute(
    sql`update product set translations = ${translations}::json where merchant_id = ${ctx.merchantId} and id = ${id}`,
  );
  await database.db.execute(sql`delete from product where merchant_id = ${ctx.merchantId} and id = ${id}`);
  const [event] = await database.db.execute<{ data: string }>(
    sql`select data from webhook_delivery where merchant_id = ${ctx.merchantId} and scope = 'store/product/deleted'`,
  );
  expect(event!.data).toContain(`"translations":${translations}`);
  expect(event!.data).toContain('"deleted":true');
});
