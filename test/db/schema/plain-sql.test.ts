import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { keepHistory } from '../../../src/merchant/keep-history.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { searchProducts } from '../../../src/product/searchProducts.ts';
import { createShop } from '../../contract/calls.ts';
import { tablesWith } from '../../customer/erasure/tables-with.ts';
import { startOperations } from '../../support/operation.ts';
import { register } from '../../webhook/ledger.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

/** A role of a merchant's own program, and the tables that it was granted. */
const ROLE = `erp_${newId().replaceAll('-', '')}`;
const GRANTED = ['product', 'variant', 'category', 'product_brand', 'customer'];

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  await database.owner.execute(sql.raw(`create role ${ROLE}`));
  await database.owner.execute(sql.raw(`grant select, insert, update, delete on ${GRANTED.join()} to ${ROLE}`));
});
beforeEach(async () => {
  ctx = await createContext(database.db);
  await register(ctx, ['store/product/updated', 'store/customer/updated']);
});
afterAll(async () => {
  await database.owner.execute(sql.raw(`drop owned by ${ROLE}`));
  await database.owner.execute(sql.raw(`drop role ${ROLE}`));
  await database.drop();
});

async function asRole(...statements: string[]): Promise<void> {
  await database.owner.transaction(async (transaction) => {
    await transaction.execute(sql.raw(`set local role ${ROLE}`));
    await transaction.execute(sql`set local search_path = pg_catalog`);
    for (const statement of statements) await transaction.execute(sql.raw(statement));
  });
}

it.for([true, false])(
  'a role writes the tables that it was granted, without a search path, with a history: %s',
  async (isKept, context) => {
    skipOnCluster(context, 'the role is on one node');
    await keepHistory(ctx, isKept);
    const [merchant, product, category] = [ctx.merchantId, newId(), newId()];
    const own = `merchant_id = '${merchant}'`;
    const prices = `[{"sellPrice":5}]`;
    const conditions = `[{"conditionType":"PRICE_RANGE","valueList":["1-9"]}]`;
    await asRole(
      `insert into public.category (merchant_id, id, name, is_automated, conditions)
        values ('${merchant}', '${category}', 'Cheap', true, '${conditions}')`,
      `insert into public.product_brand (merchant_id, name) values ('${merchant}', 'Brand')`,
      `insert into public.product (merchant_id, id, name, type, category_ids)
        values ('${merchant}', '${product}', 'Teapot', 'PHYSICAL', '{${category}}')`,
      `insert into public.variant (merchant_id, product_id, position, sku, prices)
        values ('${merchant}', '${product}', 0, 'a', '${prices}')`,
      `insert into public.customer (merchant_id, first_name) values ('${merchant}', 'Ada')`,
    );
    await asRole(
      `update public.product set name = 'Kettle', category_ids = '{}' where ${own}`,
      `update public.variant set sku = 'b', prices = '[{"sellPrice":6}]', attributes = '[]' where ${own}`,
      `update public.category set name = 'Cheaper', conditions = '[]' where ${own}`,
      `update public.product_brand set name = 'Other' where ${own}`,
      `update public.customer set first_name = 'Augusta' where ${own}`,
    );
    const found = await searchProducts(ctx, { input: { query: 'kettle' } }, { results: { name: {} } });
    expect(found.results).toEqual([{ name: 'Kettle' }]);
    await asRole(...GRANTED.toReversed().map((table) => `delete from public.${table} where ${own}`));
  },
);

it('the example of a change of many merchants changes the rows of each', async (context) => {
  skipOnCluster(context, 'the rows of several merchants');
  const merchants = [ctx.merchantId, (await createContext(database.db)).merchantId];
  for (const merchant of merchants)
    await database.owner.execute(sql`
      insert into product (merchant_id, name, type, google_taxonomy_id)
      values (${merchant}, 'Changed', 'PHYSICAL', ''), (${merchant}, 'As it was', 'PHYSICAL', '1')`);
  await database.owner.execute(sql.raw(await exampleWith('google_taxonomy_id')));
  const rows = await database.owner.execute(sql`
    select name, google_taxonomy_id as value, version, count(*)::int as count from product
    where merchant_id in ${merchants} group by 1, 2, 3 order by 1`);
  expect([...rows]).toEqual([
    { name: 'As it was', value: '1', version: 1, count: 2 },
    { name: 'Changed', value: null, version: 2, count: 2 },
  ]);
});

/** The `do` block of docs/running.md with this text, and with other values. */
async function exampleWith(text: string, values: Record<string, string> = {}): Promise<string> {
  const examples = (await readFile('docs/running.md', 'utf8')).matchAll(/```sql\n(do [^]*?)```/g);
  const [found] = [...examples].map(([, example]) => example!).filter((example) => example.includes(text));
  return Object.entries(values).reduce(
    (example, [name, value]) => example.replace(new RegExp(`(${name} constant \\w+ := )'.*'`), `$1'${value}'`),
    found!,
  );
}

it('the example that forgets the values of a record leaves them in no table, and the changes cannot be taken back', async () => {
  const mark = 'kwxq81';
  const api = await startOperations(database.db);
  onTestFinished(async () => await api.stop());
  await database.db.execute(sql`update webhook set include_changes = true where merchant_id = ${ctx.merchantId}`);
  const call = async (name: string, variables: object, headers = {}) =>
    (await api.call(ctx, name, variables, headers)) as { data: any; errors?: any[] };
  const { data } = await call('saveCustomer', { input: { firstName: 'Ada', note: mark } }, { 'idempotency-key': 'k' });
  const { id } = data.saveCustomer;
  await call('saveCustomer', { input: { id, firstName: 'Ada', note: 'Corrected' } });
  const own = { of_merchant: ctx.merchantId, of_record: id };
  expect(await tablesWith(database.owner, [mark])).not.toEqual([]);
  await database.owner.execute(sql.raw(await exampleWith('change_part', own)));
  expect(await tablesWith(database.owner, [mark])).toEqual([]);
  const { data: listed } = await call('listChange', { recordId: { eq: id } });
  expect(listed.listChange.data).toMatchObject([
    { kind: 'UPDATED', members: [], truncated: true },
    { kind: 'CREATED', members: [], truncated: true },
  ]);
  const { errors } = await call('revertChanges', { input: { changeIds: [listed.listChange.data[0].id] } });
  expect(errors).toMatchObject([{ extensions: { code: 'ARGUMENT_VALIDATION_ERROR' } }]);
});

it('the example that removes a text of stock movements and holds leaves it in no table', async () => {
  const mark = 'kwxq82 "Jane"';
  const api = await startOperations(database.db);
  onTestFinished(async () => await api.stop());
  await register(ctx, ['store/stock/updated', 'store/stock/held', 'store/stock/released']);
  const shop = await createShop(api.call, ctx);
  const place = { productId: shop.part, variantId: shop.partVariant, stockLocationId: shop.otherStockLocation };
  for (const [name, input] of Object.entries({
    adjustStock: [{ ...place, delta: 2, key: 'adjusted', reference: mark, reason: mark }],
    holdStock: [{ ...place, quantity: 1, key: 'held', reference: mark, expiresAt: Date.now() + 60_000 }],
  }))
    expect(await api.call(ctx, name, { input })).not.toHaveProperty('errors');
  expect((await tablesWith(database.owner, ['kwxq82'])).toSorted()).toEqual([
    'public.stock_hold',
    'public.stock_movement',
    'public.webhook_delivery',
  ]);
  const own = { of_merchant: ctx.merchantId, personal: mark };
  await database.owner.execute(sql.raw(await exampleWith('personal constant', own)));
  expect(await tablesWith(database.owner, ['kwxq82'])).toEqual([]);
});
