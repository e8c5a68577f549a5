import { randomBytes } from 'node:crypto';
import { getTableName, is, sql, type SQL } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as tables from '../../drizzle/index.ts';
import { findBroken } from '../../src/cli/references/find-broken.ts';
import { referrers } from '../../src/cli/references/referrers.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { calls, createShop, type Shop } from '../contract/calls.ts';
import { fullProductInput, productSaver } from '../product/products.ts';
import { runCommand } from '../support/command.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { operations, startOperations } from '../support/operation.ts';
import { type Finished, run } from '../support/process.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Columns that doctor --references does not check, and why. */
const UNGUARDED: Record<string, string> = {
  'customer.addresses': 'has no ids of records, and no statement reads its members',
  'customer.attributes': 'has no ids of records, and no statement reads its members',
  'html_meta_data.metadata_overrides': 'has no ids of records, and no statement reads its members',
  'html_meta_data.translations': 'has no ids of records, and no statement reads its members',
  'merchant.address': 'has no ids of records, and no statement reads its members',
  'merchant.billing_address': 'has no ids of records, and no statement reads its members',
  'product_attribute.table_template': 'has no ids of records, and no statement reads its members',
  'stock_location.address': 'has no ids of records, and no statement reads its members',
  'bulk_operation_image.product_id': 'the product of the variant in the same row',
  'category_product.category_id': 'derived from the product and the conditions by a trigger and the worker',
  'category_product.product_id': 'written by a trigger, removed with the product',
  'membership_pending_category.after_product_id': 'a position in the order of ids, not a reference',
  'membership_pending_category.category_id': 'removed when it is processed, also if the category no longer exists',
  'membership_pending_product.product_id': 'removed when it is processed, also if the product no longer exists',
  'membership_recheck.category_id': 'removed when it is processed, also if the category no longer exists',
  'product_price.product_id': 'written by a trigger, removed with the variants of the product',
  'product_price.price_list_id': 'derived from the prices of the variants by a trigger',
  'product_search_pending.product_id': 'removed with the product, or when it is processed',
  'product_search_word.record_id': 'words are searched again in documents before they are used',
  'bulk_operation.change_set_id': 'changes are removed by age',
  'bulk_operation.change_transaction_id': 'changes are removed by age',
  'bulk_operation_image.change_transaction_id': 'changes are removed by age',
  'change.authorized_app_id': 'changes are kept after their records are removed',
  'change.change_set_id': 'written together with the change set',
  'change.change_transaction_id': 'names a transaction that has ended',
  'change.record_id': 'changes are kept after their records are removed',
  'change_part.after': 'changes are kept after their records are removed',
  'change_part.before': 'changes are kept after their records are removed',
  'change_part.change_transaction_id': 'names a transaction that has ended',
  'change_part.record_id': 'changes are kept after their records are removed',
  'bulk_operation.authorized_app_id': 'names who asked, also after the app is removed',
  'change_set.authorized_app_id': 'changes are kept after their records are removed',
  'change_set.reverts_change_set_id': 'changes are removed by age',
  'change_set.reverts_movement_ids': 'movements are folded by age',
  'change_transaction.authorized_app_id': 'exists only during a transaction',
  'change_transaction.change_set_id': 'exists only during a transaction',
  'change_transaction.change_set_ids': 'exists only during a transaction',
  'change_transaction.reverts_change_set_id': 'exists only during a transaction',
  'change_transaction.reverts_movement_ids': 'exists only during a transaction',
  'changed_record.record_id': 'counts the changes of records that were removed too',
  'customer.erasure_id': 'written together with the receipt',
  'erasure.customer_ids': 'receipts are kept after their customers are removed',
  'erasure.items': 'counts',
  'idempotency_key.authorized_app_id': 'apps are revoked, not removed, and keys end after a day',
  'idempotency_key.customer_ids': 'keys are removed by age',
  'revert_run.authorized_app_id': 'names who asked, also after the app is removed',
  'revert_run.change_set_id': 'changes are removed by age',
  'revert_run.conflicts': 'texts for people',
  'revert_run.last_record_id': 'a position in the order of the ids',
  'revert_run.reverted_change_set_id': 'changes are removed by age',
  'revert_run.reverted_transaction_id': 'names a transaction that has ended',
  'stock_hold.product_stock_location_id': 'removed with the count by a trigger',
  'stock_hold.product_id': 'removed with the count by a trigger',
  'stock_hold.variant_id': 'removed with the count by a trigger',
  'stock_hold.stock_location_id': 'removed with the count by a trigger',
  'stock_key.record_ids': 'keys are removed by age',
  'stock_movement.product_stock_location_id': 'checked with the sums of counts',
  'stock_movement.product_id': 'removed with the count by a trigger',
  'stock_movement.variant_id': 'removed with the count by a trigger',
  'stock_movement.stock_location_id': 'removed with the count by a trigger',
  'stock_movement.change_transaction_id': 'names a transaction that has ended',
  'stock_movement.change_set_id': 'written together with the change set',
  'stock_movement.authorized_app_id': 'movements are kept after their records are removed',
  'webhook_change.product_id': 'exists only during a transaction',
  'webhook_change.channels_left': 'exists only during a transaction',
  'client_operation.authorized_app_id': 'removed by age, like the counts',
  'schema_usage.authorized_app_id': 'counts are kept after the records are removed',
  'schema_usage.requests': 'counts',
  'webhook_attempt_count.webhook_id': 'counts are kept after the records are removed',
  'webhook_delivery.webhook_id': 'deliveries are kept after their records are removed',
  'webhook_delivery.authorized_app_id': 'deliveries are kept after their records are removed',
  'webhook_delivery.record_id': 'deliveries are kept after their records are removed',
  'webhook_delivery.truncated': 'deliveries are kept after their records are removed',
  'webhook_delivery.changes': 'deliveries are kept after their records are removed',
  'webhook_delivery.details': 'has values, no ids',
  'webhook_delivery.attempt_log': 'deliveries are kept after their records are removed',
  'webhook_record.authorized_app_id': 'deliveries are kept after their records are removed',
  'webhook_record.record_id': 'deliveries are kept after their records are removed',
  'webhook_record.delivery_id': 'deliveries are kept after their records are removed',
  'webhook.probe_id': 'only compared with deliveries, which are removed by age',
};

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
let shop: Shop;
/** Whether the last test has taken its change back, so that the next one can use its shop. */
let isIntact = false;

beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
});
beforeEach(async () => {
  if (!isIntact) {
    ctx = await createContext(database.db);
    shop = await createShop(api.call, ctx);
  }
  isIntact = false;
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

describe('doctor --references', () => {
  it('finds nothing in records that the service wrote', async () => {
    const mutations = Object.keys(calls).filter((name) => operations.get(name)!.kind === 'mutation');
    const deletions = mutations.filter((name) => name.startsWith('delete'));
    for (const name of [...mutations.filter((name) => !deletions.includes(name)), ...deletions]) {
      expect((await api.call(ctx, name, calls[name]!(shop))).errors, name).toBeUndefined();
    }
    await productSaver(ctx)(await fullProductInput(ctx));
    const conditions = [
      { conditionType: 'PRODUCT_NAME', valueList: ['x'] },
      { conditionType: 'DISCOUNTED_PRODUCTS', method: 'IN', valueList: [] },
    ];
    const rules = [{ amount: 1, amountType: 'RATIO', operationType: 'INCREASE' }];
    for (const [name, input] of [
      ['saveCategory', { name: 'All', conditions, translations: [{ locale: 'de' }] }],
      [
        'savePriceList',
        {
          name: 'All',
          currency: 'EUR',
          ruleList: [{ currencySettings: {}, rules, currencyRateSettings: { type: 'CURRENT_RATE' } }],
        },
      ],
      ['saveSalesChannel', { name: 'All', type: 'POS', paymentGateways: [{ id: 'gateway', order: 1.5 }] }],
      ['saveCustomer', { firstName: 'All', priceListRules: [{ value: 1, valueType: 'FIXED_PRICE' }] }],
    ] as const)
      expect((await api.call(ctx, name, { input })).errors, name).toBeUndefined();
    expect(await broken()).toEqual([]);
  });

  it('finds ids that are unknown, of a record of another kind, and of another merchant', async () => {
    const stranger = await createContext(database.db);
    const { category: foreign } = await createShop(api.call, stranger);
    const nothing = newId();
    await write(
      sql`update product set category_ids = array[${shop.category}, ${nothing}, ${shop.tag}, ${foreign}]::uuid[] where id = ${shop.product}`,
    );
    expect(await broken()).toEqual(
      [nothing, shop.tag, foreign].map((missing) => ({
        merchantId: ctx.merchantId,
        table: 'product',
        id: shop.product,
        member: 'category_ids',
        missing,
      })),
    );
    expect(await broken(stranger)).toEqual([]);
  });

  it('accepts ids of deleted records, and checks deleted rows too', async () => {
    await api.call(ctx, 'deleteProductTagList', { idList: [shop.tag] });
    expect(await broken()).toEqual([]);
    await write(sql`update product set deleted = true, brand_id = ${newId()} where id = ${shop.product}`);
    expect(await broken()).toMatchObject([{ table: 'product', member: 'brand_id' }]);
  });

  const one = (table: keyof Shop, member: string, set: (id: string) => string) => ({ table, member, set });
  it.each([
    one('product', 'group_variants_by_variant_type_id', (id) => `'${id}'`),
    one('product', 'tag_ids', (id) => `'{${id}}'`),
    one('product', 'dynamic_price_list_ids', (id) => `'{${id}}'`),
    one('product', 'sales_channel_ids', (id) => `'{${id}}'`),
    one('product', 'hidden_sales_channel_ids', (id) => `'{${id}}'`),
    one(
      'product',
      'sales_channels.id',
      (id) =>
        `'[{"id":"${id}","status":"VISIBLE","maxQuantityPerCart":null,"minQuantityPerCart":null,"productVolumeDiscountId":null,"quantitySettings":null}]'`,
    ),
    one(
      'product',
      'product_variant_types.variantTypeId',
      (id) => `'[{"variantTypeId":"${id}","order":1,"variantValueIds":[]}]'`,
    ),
    one(
      'product',
      'attributes.productAttributeId',
      (id) => `'[{"productAttributeId":"${id}","productAttributeOptionId":null,"value":null,"imageIds":null}]'`,
    ),
    one(
      'product',
      'attributes.productAttributeOptionId',
      (id) => `'[{"productAttributeId":null,"productAttributeOptionId":"${id}","value":null,"imageIds":null}]'`,
    ),
    one(
      'variant',
      'prices.priceListId',
      (id) => `'[{"sellPrice":1,"buyPrice":null,"discountPrice":null,"currency":null,"priceListId":"${id}"}]'`,
    ),
    one(
      'variant',
      'bundle_settings.products.productId',
      (id) =>
        `'{"maxBundleQuantity":null,"minBundleQuantity":null,"products":[{"id":"","productId":"${id}","quantity":1,"order":1,"filteredVariantIds":[],"addToBundleBasePrice":null,"discountRatio":null,"minQuantity":null,"maxQuantity":null}]}'`,
    ),
    one('category', 'path', (id) => `'{${id}}'`),
    one('category', 'sales_channel_ids', (id) => `'{${id}}'`),
    one('category', 'sales_channels.id', (id) => `'[{"id":"${id}","status":"VISIBLE"}]'`),
    one('brand', 'sales_channel_ids', (id) => `'{${id}}'`),
    one('salesChannel', 'stock_locations.id', (id) => `'[{"id":"${id}","order":1}]'`),
    one(
      'priceList',
      'rule_list.basePriceListId',
      (id) => `'[{"basePriceListId":"${id}","currencySettings":{},"rules":[]}]'`,
    ),
    one('customer', 'price_list_rules.priceListId', (id) => `'[{"priceListId":"${id}"}]'`),
    one('webhook', 'sales_channel_ids', (id) => `'{${id}}'`),
    one('variantType', 'translations.values.id', (id) => `'[{"locale":"de","values":[{"id":"${id}"}]}]'`),
    one('attribute', 'translations.options.id', (id) => `'[{"locale":"de","options":[{"id":"${id}"}]}]'`),
  ])('finds an unknown id in $member of a $table', async ({ table: record, member, set }) => {
    const missing = newId();
    const table =
      {
        brand: 'product_brand',
        salesChannel: 'sales_channel',
        priceList: 'price_list',
        variantType: 'variant_type',
        attribute: 'product_attribute',
      }[record as string] ?? record;
    const id = shop[record];
    await whileSet({ table, id, column: member.split('.')[0]!, value: set(missing) }, async () =>
      expect(await broken()).toEqual([{ merchantId: ctx.merchantId, table, id, member, missing }]),
    );
  });

  it('finds the unknown channel of an app and the unknown record of a page', async () => {
    const [channel, target] = [newId(), newId()];
    await write(
      sql`update authorized_app set sales_channel_id = ${channel} where merchant_id = ${ctx.merchantId} and id = ${ctx.session.authorizedAppId}`,
    );
    await write(
      sql`insert into html_meta_data (merchant_id, target_id, target_type, slug) values (${ctx.merchantId}, ${target}, 'BRAND', 'of-no-brand'), (${ctx.merchantId}, ${newId()}, 'PAGE', 'of-a-page')`,
    );
    expect(await broken()).toMatchObject([
      { table: 'html_meta_data', member: 'target_id', missing: target },
      { table: 'authorized_app', id: ctx.session.authorizedAppId, member: 'sales_channel_id', missing: channel },
    ]);
  });

  it('finds a value of another variant type and an option of another attribute', async () => {
    const other = { type: newId(), value: newId(), option: newId() };
    await write(
      sql`insert into variant_type (merchant_id, id, name, selection_type) values (${ctx.merchantId}, ${other.type}, 'Other', 'choice')`,
    );
    await write(
      sql`insert into variant_value (merchant_id, id, variant_type_id, position, name) values (${ctx.merchantId}, ${other.value}, ${other.type}, 0, 'Value')`,
    );
    await write(
      sql`update variant set variant_value_ids = ${JSON.stringify([{ variantTypeId: shop.variantType, variantValueId: other.value }])}::json where id = ${shop.variant}`,
    );
    await write(
      sql`update product set product_variant_types = ${JSON.stringify([{ variantTypeId: other.type, order: 1, variantValueIds: [shop.variantValue, other.value] }])}::json where id = ${shop.product}`,
    );
    expect(await broken()).toMatchObject([
      {
        table: 'product',
        id: shop.product,
        member: 'product_variant_types.variantValueIds',
        missing: shop.variantValue,
      },
      { table: 'variant', id: shop.variant, member: 'variant_value_ids.variantValueId', missing: other.value },
    ]);
  });

  it.each([
    ['prices', '{}', ['prices']],
    ['prices', '"text"', ['prices']],
    ['prices', 'null', ['prices']],
    ['prices', '[1, null]', ['prices']],
    [
      'prices',
      '[{}]',
      ['prices.sellPrice', 'prices.buyPrice', 'prices.discountPrice', 'prices.currency', 'prices.priceListId'],
    ],
    [
      'prices',
      '[{"sellPrice":"1","buyPrice":null,"discountPrice":null,"currency":null,"priceListId":7}]',
      ['prices.sellPrice', 'prices.priceListId'],
    ],
    [
      'variant_value_ids',
      '[{"variantTypeId":{},"variantValueId":null}]',
      ['variant_value_ids.variantTypeId', 'variant_value_ids.variantValueId'],
    ],
    [
      'prices',
      '[{"sellPrice":1,"buyPrice":null,"discountPrice":null,"currency":"\\u0000","priceListId":null}]',
      ['prices.currency'],
    ],
    [
      'images',
      '[{"imageId":"i","fileName":null,"isMain":1,"isVideo":null,"order":1,"sourceUrl":null,"__proto__":{}}]',
      ['images.isMain'],
    ],
    [
      'bundle_settings',
      '{"maxBundleQuantity":null,"minBundleQuantity":"1","products":[]}',
      ['bundle_settings.minBundleQuantity'],
    ],
    ['unit', '[]', ['unit']],
  ])('finds %s without the members that the service stores: %s', async (column, json, members) => {
    const id = shop.variant;
    await whileSet({ table: 'variant', id, column, value: `'${json}'` }, async () =>
      expect(await broken()).toEqual(
        members.map((member) => ({ merchantId: ctx.merchantId, table: 'variant', id, member, missing: null })),
      ),
    );
  });

  it('prints an id that is not a UUID as it is stored', async () => {
    await write(sql`update product set sales_channels = '[{"id":"\\ud800 x"}]' where id = ${shop.product}`);
    expect(await broken()).toContainEqual({
      merchantId: ctx.merchantId,
      table: 'product',
      id: shop.product,
      member: 'sales_channels.id',
      missing: '\ud800 x',
    });
  });

  it('has a rule for each id without a foreign key, and for each JSON column that a statement reads members of', () => {
    const ruled = referrers.flatMap(({ table, columns }) => {
      const { columns: all } = getTableConfig(table);
      return Object.keys(columns).map(
        (name) => `${getTableName(table)}.${all.find((column) => column === (table as never)[name])!.name}`,
      );
    });
    const unguarded = Object.values(tables).flatMap((table) => {
      if (!is(table, PgTable)) return [];
      const { name, columns, foreignKeys } = getTableConfig(table as PgTable);
      const guarded = new Set(foreignKeys.flatMap((key) => key.reference().columns.map((column) => column.name)));
      const open = columns.filter(
        (column) =>
          ['uuid', 'uuid[]', 'json'].includes(column.getSQLType()) &&
          !guarded.has(column.name) &&
          !['id', 'merchant_id'].includes(column.name),
      );
      return open.map((column) => `${name}.${column.name}`);
    });
    expect(unguarded.filter((column) => !ruled.includes(column)).sort()).toEqual(Object.keys(UNGUARDED).sort());
  });
});

describe('the command', () => {
  const secret = randomBytes(32).toString('hex');
  const environment = () => ({ DATABASE_URL: database.url, SECRET_KEY: secret });
  const doctor = async (...args: string[]): Promise<Finished> => await runCommand(['doctor', ...args], environment());

  it('exits with 0 if nothing is damaged, else with 1 and a line for each finding, also as JSON', async () => {
    const args = ['doctor', '--references', '--merchant', ctx.merchantId];
    const whole = await run('src/cli/admin.ts', args, environment()).finished;
    expect({ code: whole.code, answer: JSON.parse(whole.stdout) as unknown }).toEqual({
      code: 0,
      answer: { ok: true, rows: expect.any(Number), count: 0, broken: [] },
    });
    expect(whole.stderr).toMatch(/^\d+ rows: 0 broken\n$/);

    const missing = newId();
    await write(sql`update product set tag_ids = array[${missing}]::uuid[] where id = ${shop.product}`);
    const found = { merchantId: ctx.merchantId, table: 'product', id: shop.product, member: 'tag_ids', missing };
    for (const options of [['--references'], ['--references', '--merchant', ctx.merchantId]]) {
      const { code, stdout, stderr } = await doctor(...options);
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({ ok: false, broken: expect.arrayContaining([found]) });
      expect(stderr.split('\n')).toContain(
        `BROKEN product ${shop.product} of merchant ${ctx.merchantId}: tag_ids names no record: "${missing}"`,
      );
    }
    const stranger = await createContext(database.db);
    expect(await doctor('--references', '--merchant', stranger.merchantId)).toMatchObject({ code: 0 });
  });

  it('shows the first 1,000 and counts the rest', async () => {
    await write(
      sql`insert into product (merchant_id, name, type, tag_ids) select ${ctx.merchantId}, 'P', 'PHYSICAL', array[gen_random_uuid(), gen_random_uuid()] from generate_series(1, 750)`,
    );
    const { code, stdout, stderr } = await doctor('--references', '--merchant', ctx.merchantId);
    const answer = JSON.parse(stdout) as { count: number; broken: unknown[] };
    expect([code, answer.count, answer.broken.length]).toEqual([1, 1_500, 1_000]);
    expect(stderr.match(/^BROKEN /gm)).toHaveLength(1_000);
    expect(stderr).toContain('1500 broken, of which the first 1000 are shown');
  });

  it.each([
    [['--references', '--merchant', 'nobody'], 1],
    [['--merchant', newId()], 2],
    [['--references', 'surplus'], 2],
  ] as const)('refuses %j with code %i', async (args, code) => {
    expect(await doctor(...args)).toMatchObject({ code, stdout: '' });
  });
});

async function write(statement: SQL): Promise<void> {
  await database.owner.execute(statement);
}

type Change = { table: string; id: string; column: string; value: string };

/** Sets a column of a record, and sets it back after `check`, unless that fails. */
async function whileSet({ table, id, column, value }: Change, check: () => Promise<void>): Promise<void> {
  const row = sql.raw(`${table} where id = '${id}'`);
  const [former] = await database.db.execute<{ type: string; value: string | null }>(
    sql`select pg_typeof(${sql.raw(column)})::text as type, ${sql.raw(column)}::text as value from ${row}`,
  );
  await write(sql.raw(`update ${table} set ${column} = ${value} where id = '${id}'`));
  await check();
  await write(
    sql`update ${sql.raw(table)} set ${sql.raw(column)} = ${former!.value}::${sql.raw(former!.type)} where id = ${id}`,
  );
  isIntact = true;
}

async function broken(own = ctx): Promise<unknown[]> {
  const all = [];
  for await (const { broken: found } of findBroken(own)) all.push(...found);
  return all;
}
