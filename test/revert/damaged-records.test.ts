import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { plainProduct } from '../product/products.ts';

/** Values that the service never writes into these columns, and that the database accepts by plain SQL. */
const NO_LISTS = ['null', '{}', '5', '"x"'];
const DAMAGED = [...NO_LISTS, '[null]', '[{}]', '[null, 5, "x", []]'];

type Case = {
  type: string;
  table: string;
  column: string;
  values: string[];
  /** What the record has before plain SQL damages it. */
  input: object;
  /** What is sent after that. */
  sent: object;
};
const CASES: Case[] = [
  {
    type: 'Category',
    table: 'html_meta_data',
    column: 'translations',
    values: DAMAGED,
    input: { metaData: { slug: 'a' } },
    sent: { metaData: { slug: 'a', translations: [{ locale: 'de', slug: 'b' }] } },
  },
  {
    type: 'VariantType',
    table: 'variant_type',
    column: 'translations',
    values: [...DAMAGED, '[{"values": 5}]', '[{"values": [null]}]'],
    input: { selectionType: 'choice', values: [{ name: 'S' }] },
    sent: { translations: [{ locale: 'de', name: 'Kleider', values: [] }] },
  },
  {
    type: 'ProductAttribute',
    table: 'product_attribute',
    column: 'translations',
    values: [...DAMAGED, '[{"options": 5}]', '[{"options": [null]}]'],
    input: { type: 'TEXT' },
    sent: { translations: [{ locale: 'de', name: 'Kleider', options: [] }] },
  },
  {
    type: 'PriceList',
    table: 'price_list',
    column: 'rule_list',
    values: DAMAGED,
    input: { currency: 'USD' },
    sent: { type: 'DYNAMIC' },
  },
  {
    type: 'Category',
    table: 'category',
    column: 'conditions',
    values: [
      ...DAMAGED,
      '[{"conditionType": "x", "valueList": ["x"]}]',
      '[{"conditionType": "CATEGORY", "valueList": 5}]',
      '[{"conditionType": "CATEGORY", "valueList": [5, null]}]',
    ],
    input: {},
    sent: { conditions: [{ conditionType: 'PRODUCT_NAME', valueList: ['x'] }] },
  },
  { type: 'Category', table: 'category', column: 'sales_channels', values: DAMAGED, input: {}, sent: {} },
];

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

/** The damaged member itself may be null in the answer, with an error. */
async function call<Answer>(name: string, variables: object, note?: string): Promise<Answer> {
  const { data, errors } = await api.call(ctx, name, variables);
  expect(data?.[name], `${note ?? name} ${JSON.stringify(errors)}`).toBeTruthy();
  return data![name] as Answer;
}

async function damage({ table, column }: Case, id: string, value: string): Promise<void> {
  const key = sql.identifier(table === 'html_meta_data' ? 'target_id' : 'id');
  await database.db.execute(sql`
    update ${sql.identifier(table)} set ${sql.identifier(column)} = ${value}::json
    where merchant_id = ${ctx.merchantId} and ${key} = ${id}`);
}

/** The members that a save needs, and those that were sent. */
async function save({ type, input }: Case, members: object, note?: string): Promise<string> {
  const { metaData: _metaData, ...required } = input as Record<string, unknown>;
  const saved = await call<{ id: string }>(`save${type}`, { input: { ...required, ...members } }, note);
  return saved.id;
}

async function lastSet(): Promise<string> {
  const { data } = await call<{ data: { changeSet: { id: string } }[] }>('listChange', { pagination: { limit: 1 } });
  return data[0]!.changeSet.id;
}

describe.each(CASES)('a $type of which plain SQL damaged $column of $table', (one) => {
  it('can be saved', async () => {
    for (const [at, value] of one.values.entries()) {
      const id = await save(one, { name: `Record ${at}`, ...one.input });
      await damage(one, id, value);
      expect(await save(one, { id, name: `Saved ${at}`, ...one.sent }, value), value).toBe(id);
    }
  });

  it('can be reverted', async () => {
    for (const [at, value] of one.values.entries()) {
      const id = await save(one, { name: `Record ${at}`, ...one.input });
      await save(one, { id, name: `Saved ${at}` });
      const saved = await lastSet();
      await damage(one, id, value);
      const damaged = await lastSet();
      for (const changeSetId of [saved, damaged]) await call('revertChanges', { input: { changeSetId } }, value);
      const input = { changeSetId: await lastSet() };
      expect(await call('revertChanges', { input }, value), value).toMatchObject({ recordCount: 1 });
    }
  });
});

describe('an attribute of which plain SQL damaged the table', () => {
  it.each([...DAMAGED, '{"rows": 5, "columns": []}', '{"rows": [null], "columns": [null]}'])(
    'accepts values: %s',
    async (value) => {
      const { id } = await call<{ id: string }>('saveProductAttribute', { input: { name: 'Sizes', type: 'TABLE' } });
      await database.db.execute(sql`
      update product_attribute set table_template = ${value}::json
      where merchant_id = ${ctx.merchantId} and id = ${id}`);
      const attributes = [{ productAttributeId: id, value: '[["1"]]' }];
      const saved = await call('saveProduct', { input: { ...plainProduct('Sized'), attributes } });
      expect(saved).toMatchObject({ name: 'Sized' });
    },
  );
});
