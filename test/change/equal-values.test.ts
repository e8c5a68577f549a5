import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import type { Change } from '../../src/graphql/generated/types.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
let channel: string;

beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
  ({ id: channel } = await call('saveSalesChannel', { input: { name: 'Web', type: 'STOREFRONT' } }));
});

type Saved = { id: string; variants: { id: string }[]; productVariantTypes: object[] };

async function call<Result = Saved>(name: string, variables: object): Promise<Result> {
  const { data, errors } = (await server.call(ctx, name, variables)) as { data: any; errors?: unknown };
  expect(errors).toBeUndefined();
  return data[name] as Result;
}

async function saveMug(members: object = {}): Promise<Saved> {
  const settings = [{ id: channel, status: 'VISIBLE', maxQuantityPerCart: 2 }];
  const variants = [{ sku: 'M', prices: [{ sellPrice: 5 }] }];
  const input = { name: 'Mug', type: 'PHYSICAL', salesChannelIds: [channel], salesChannels: settings, variants };
  return await call('saveProduct', { input: { ...input, ...members } });
}

async function changesOf(recordId: string): Promise<Change[]> {
  return (await call<{ data: Change[] }>('listChange', { recordId: { eq: recordId } })).data;
}

/** The changed members of the record's last change: their paths, with the texts of their values. */
async function lastMembers(recordId: string): Promise<Record<string, [unknown, unknown]>> {
  const [{ members }] = (await changesOf(recordId)) as [Change];
  return Object.fromEntries(members.map(({ path, before, after }) => [path, [before ?? null, after ?? null]]));
}

async function storedText(id: string, column: string): Promise<string> {
  const [row] = await database.db.execute<{ text: string }>(sql`
    select ${sql.identifier(column)}::text as text from product where merchant_id = ${ctx.merchantId} and id = ${id}`);
  return row!.text;
}

async function hide(productId: string): Promise<void> {
  await call('updateProductSalesChannelStatus', {
    salesChannelId: channel,
    input: [{ productId, active: false }],
  });
}

/** Updates a row by plain SQL. */
async function set(table: string, id: string, ...changes: ReturnType<typeof sql>[]): Promise<void> {
  await database.owner.transaction(async (transaction) => {
    for (const change of changes)
      await transaction.execute(
        sql`update ${sql.identifier(table)} set ${change} where merchant_id = ${ctx.merchantId} and id = ${id}`,
      );
  });
}

describe('two operations that store the same value', () => {
  it('store the same text: the status of a sales channel', async () => {
    const { id } = await saveMug();
    await hide(id);
    const hidden = await storedText(id, 'sales_channels');
    await saveMug({ id, salesChannels: [] });
    await saveMug({ id, salesChannels: [{ id: channel, status: 'HIDDEN', maxQuantityPerCart: 2 }] });
    expect(await storedText(id, 'sales_channels')).toBe(hidden);
  });

  it('store the same text: the variant types of a product', async () => {
    const type = await call<{ id: string; values: { id: string }[] }>('saveVariantType', {
      input: { name: 'Size', selectionType: 'CHOICE', values: [{ name: 'S' }] },
    });
    const used = { variantTypeId: type.id, variantValueId: type.values[0]!.id };
    const types = [{ order: 0, variantTypeId: type.id, variantValueIds: [used.variantValueId] }];
    const prices = [{ sellPrice: 5 }];
    const variants = [{ sku: 'M', prices, variantValueIds: [used] }];
    const { id, variants: saved } = await saveMug({ productVariantTypes: types, variants });
    const before = await storedText(id, 'product_variant_types');
    const byName = [{ variantTypeName: 'Size', variantValues: [{ name: 'S' }], order: 0 }];
    const relations = [{ variantTypeName: 'Size', variantValueName: 'S' }];
    await call('bulkUpdateProducts', {
      input: [
        {
          id,
          name: 'Cup',
          type: 'PHYSICAL',
          categories: [],
          productVariantTypes: byName,
          variants: [{ id: saved[0]!.id, sku: 'M', prices, variantValues: relations }],
        },
      ],
    });
    expect(await lastMembers(id)).toEqual({ name: ['"Mug"', '"Cup"'] });
    expect(await storedText(id, 'product_variant_types')).toBe(before);
  });
});

describe('a value that is stored in another form', () => {
  it('is no change: the order of members, spaces, zeros, and a null in place of nothing', async () => {
    const { id } = await saveMug();
    const other = JSON.stringify([{ status: 'VISIBLE', id: channel, maxQuantityPerCart: 2 }], null, 1);
    await set('product', id, sql`sales_channels = ${other.replace(/2$/m, '2.0')}::json, name = 'Cup'`);
    expect(await lastMembers(id)).toEqual({ name: ['"Mug"', '"Cup"'] });
  });

  it('is no change of a part of a record', async () => {
    const { id, variants } = await saveMug();
    const [variant] = variants as [{ id: string }];
    const prices = '[{"priceListId" : null, "sellPrice" : 5.0}]';
    await set('variant', variant.id, sql`prices = ${prices}::json, hs_code = '1'`);
    expect(await lastMembers(id)).toEqual({ [`variants.${variant.id}.hsCode`]: [null, '"1"'] });
  });

  it('is no change of a price beside one that changes', async () => {
    const { id, variants } = await saveMug();
    const [variant] = variants as [{ id: string }];
    await set('variant', variant.id, sql`prices = '[{"sellPrice" : 5.0, "buyPrice" : 3}]'`);
    expect(await lastMembers(id)).toEqual({ [`variants.${variant.id}.prices.base.buyPrice`]: [null, '3'] });
  });

  it('is no change after several statements of a transaction', async () => {
    const { id } = await saveMug({ baseUnit: { type: 'GRAM', baseAmount: 1 } });
    const [other, same] = ['{"type":"LITER"}', '{"baseAmount" : 1, "type" : "GRAM"}'];
    await set('product', id, sql`base_unit = ${other}::json`, sql`base_unit = ${same}::json, name = 'Cup'`);
    expect(await lastMembers(id)).toEqual({ name: ['"Mug"', '"Cup"'] });
  });

  it('is no change in an event, also after several statements of a transaction', async () => {
    await call('saveWebhook', {
      input: { endpoint: 'https://receiver.example/', scopes: ['store/customer/updated'], includeChanges: true },
    });
    const { id } = await call('saveCustomer', { input: { firstName: 'A', attributes: [{ value: 'x' }] } });
    await set(
      'customer',
      id,
      sql`attributes = '[]'`,
      sql`first_name = 'B', attributes = (
        select json_agg(json_build_object('value', 'x', 'customerAttributeId', entry -> 'customerAttributeId'))
        from json_array_elements('[{}]') entry)`,
    );
    const [event] = await database.db.execute<{ changes: { changedPaths: string[] } }>(sql`
      select changes from webhook_delivery where merchant_id = ${ctx.merchantId} and record_id = ${id}
      order by sequence desc limit 1`);
    expect(event!.changes.changedPaths).toEqual(['firstName']);
  });

  it('alone makes no change', async () => {
    const { id } = await saveMug({ baseUnit: { type: 'GRAM', baseAmount: 1 } });
    await set('product', id, sql`base_unit = '{"baseAmount" : 1, "type" : "GRAM"}'`);
    expect((await changesOf(id)).map(({ kind }) => kind)).toEqual(['CREATED']);
  });
});

describe('a value that jsonb refuses', () => {
  it.each(['{"type":"GRAM","unitId":"\\u0000"}', '{"type":"GRAM","baseAmount":1e999999}'])(
    'is compared as text: %s',
    async (value) => {
      const { id } = await saveMug();
      await set('product', id, sql`base_unit = ${value}::json`);
      const spaced = value.replace(':', ' : ');
      await set('product', id, sql`base_unit = ${spaced}::json`);
      await set('product', id, sql`base_unit = null, name = 'Cup'`);
      expect(await changesOf(id)).toHaveLength(4);
    },
  );
});

it('a change of a member in another form is taken back, and others stay', async () => {
  const { id } = await saveMug();
  await hide(id);
  const [hidden] = await changesOf(id);
  await call('updateProduct', { id, patch: { name: 'Cup' } });
  const [renamed] = await changesOf(id);
  await call('revertChanges', { input: { changeIds: [hidden!.id] } });
  await call('revertChanges', { input: { changeIds: [renamed!.id] } });
  const { data } = await call<{ data: object[] }>('listProduct', { id: { eq: id } });
  expect(data[0]).toMatchObject({ name: 'Mug', salesChannels: [{ status: 'VISIBLE' }] });
});
