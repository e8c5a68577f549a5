import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRecords } from '../../src/db/read/read-records.ts';
import { productProjection } from '../../src/product/product.ts';
import { plainProduct, productSaver } from '../product/products.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const MERCHANT = '0199a3a1-0000-7000-8000-000000000001';
const ID = '0199a3a1-0000-7000-8000-000000000002';
const OTHER_ID = '0199a3a1-0000-7000-8000-000000000003';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Clients verify signatures of payloads, hash and store them. Their bytes are therefore part of the contract. */
describe('the data of an event, to the byte:', () => {
  it('a customer', async () => {
    const row = {
      merchant_id: MERCHANT,
      id: ID,
      first_name: 'Ada "A"',
      last_name: 'Löve\nlace',
      full_name: 'Ada "A" Löve\nlace',
      sequence: 7,
      order_count: 2,
      total_order_price: '10.500000',
      birth_date: '1815-12-10T00:00:00.001Z',
      tag_ids: ['vip', '"'],
      is_email_verified: true,
      gender: 'FEMALE',
      attributes: [{ value: 'x' }],
      created_at: '2026-01-02T03:04:05.678Z',
      updated_at: '2026-01-02T03:04:05.679Z',
      deleted: false,
    };
    expect(await eventOf('customer', row)).toBe(
      `{"id":"${ID}","firstName":"Ada \\"A\\"","lastName":"Löve\\nlace","fullName":"Ada \\"A\\" Löve\\nlace","email":null,"phone":null,"note":null,"ip":null,` +
        '"userAgent":null,"preferredLanguage":null,"priceListId":null,"lastPriceListId":null,"lastStorefrontRoutingId":null,"customerSequence":7,' +
        '"orderCount":2,"totalOrderPrice":10.5,"isEmailVerified":true,"isPhoneVerified":null,"birthDate":-4861727999999,"accountStatusUpdatedAt":null,' +
        '"emailVerifiedDate":null,"phoneVerifiedDate":null,"passwordUpdateDate":null,"firstOrderDate":null,"lastOrderDate":null,' +
        '"subscriptionStatusUpdatedAt":null,"smsSubscriptionStatusUpdatedAt":null,"phoneSubscriptionStatusUpdatedAt":null,"tagIds":["vip","\\""],' +
        '"customerGroupIds":null,"customerSegmentIds":null,"gender":"FEMALE","accountStatus":null,"b2bStatus":null,"registrationSource":null,' +
        '"subscriptionStatus":null,"smsSubscriptionStatus":null,"phoneSubscriptionStatus":null,"addresses":null,"attributes":[{"value":"x"}],' +
        '"priceListRules":null,"erasureBlockedUntil":null,"createdAt":1767323045678,"updatedAt":1767323045679,"deleted":false}',
    );
  });

  it('a stock', async () => {
    const row = {
      merchant_id: MERCHANT,
      id: ID,
      product_id: OTHER_ID,
      variant_id: OTHER_ID,
      stock_location_id: OTHER_ID,
      stock_count: '-3.250000',
      created_at: '2026-01-02T03:04:05.678Z',
      updated_at: '2026-01-02T03:04:05.679Z',
      deleted: true,
    };
    expect(await eventOf('product_stock_location', row)).toBe(
      `{"id":"${ID}","productId":"${OTHER_ID}","variantId":"${OTHER_ID}","stockLocationId":"${OTHER_ID}","stockCount":-3.25,` +
        '"createdAt":1767323045678,"updatedAt":1767323045679,"deleted":true}',
    );
  });

  it('a hold', async () => {
    const row = {
      merchant_id: MERCHANT,
      id: ID,
      product_stock_location_id: OTHER_ID,
      product_id: OTHER_ID,
      variant_id: OTHER_ID,
      stock_location_id: OTHER_ID,
      quantity: '2.500000',
      key: 'k "1"',
      status: 'ACTIVE',
      created_at: '2026-01-02T03:04:05.678Z',
      expires_at: '2026-01-02T04:04:05.678Z',
    };
    expect(await eventOf('stock_hold', row)).toBe(
      `{"id":"${ID}","quantity":2.5,"key":"k \\"1\\"","reference":null,"status":"ACTIVE","createdAt":1767323045678,` +
        `"expiresAt":1767326645678,"variantId":"${OTHER_ID}","stockLocationId":"${OTHER_ID}"}`,
    );
  });

  it('a product', async () => {
    const stamps = sql`'2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.679Z'`;
    await database.db.execute(sql`
      insert into merchant (merchant_id, sequence, email, first_name, last_name, currency_code, currency_symbol) values (${MERCHANT}, 1, 'e', 'f', 'l', 'EUR', '€')`);
    await database.db.execute(sql`
      insert into product_tag (merchant_id, id, name, created_at, updated_at) values (${MERCHANT}, ${OTHER_ID}, 'new', ${stamps})`);
    const product = {
      merchant_id: MERCHANT,
      id: ID,
      name: 'Tee',
      type: 'PHYSICAL',
      tag_ids: [OTHER_ID],
      weight: 0.0000001,
      translations: [{ locale: 'de' }],
    };
    await database.db.execute(sql`
      insert into product (merchant_id, id, name, type, tag_ids, weight, translations, created_at, updated_at)
      select merchant_id, id, name, type, tag_ids, weight, translations, ${stamps} from json_populate_record(null::product, ${JSON.stringify(product)}::json)`);
    const prices = [{ sellPrice: 12.5, buyPrice: null, discountPrice: 1e-7, currency: null, priceListId: null }];
    await database.db.execute(sql`
      insert into variant (merchant_id, id, product_id, position, sku, barcode_list, prices, created_at, updated_at)
      values (${MERCHANT}, ${OTHER_ID}, ${ID}, 0, 'tee-1', '{1,2}', ${JSON.stringify(prices)}, ${stamps})`);
    const [event] = await database.db.execute<{ data: string }>(sql`
      select data from product_events(${MERCHANT}, array(select p from product p where p.merchant_id = ${MERCHANT}))`);
    const price =
      '{"sellPrice" : 12.5, "buyPrice" : null, "discountPrice" : 0.0000001, "currency" : "EUR", "currencyCode" : "EUR", "currencySymbol" : "€", "priceListId" : null}';
    expect(event!.data).toBe(
      `{"id":"${ID}","name":"Tee","type":"PHYSICAL","variants":[{"id" : "${OTHER_ID}", "sku" : "tee-1", "barcodeList" : ["1","2"], "isActive" : true, ` +
        `"prices" : [${price}], "stocks" : [], "images" : [], "attributes" : [], "variantValueIds" : [], "sellIfOutOfStock" : null, "weight" : null, ` +
        '"unit" : null, "hsCode" : null, "fileId" : null, "bundleSettings" : null, "subscriptionPlanId" : null, ' +
        '"createdAt" : 1767323045678, "updatedAt" : 1767323045679, "deleted" : false}],"attributes":[],"baseUnit":null,"brand":null,"brandId":null,' +
        '"categories":[],"categoryIds":[],"description":null,"shortDescription":null,"dynamicPriceListIds":[],"googleTaxonomyId":null,' +
        '"groupVariantsByVariantTypeId":null,"hiddenSalesChannelIds":[],"salesChannelIds":[],"salesChannels":[],"maxQuantityPerCart":null,"metaData":null,' +
        '"productOptionSetId":null,"productVariantTypes":[],"productVolumeDiscountId":null,"releaseDate":null,"subscriptionPlanId":null,' +
        `"tagIds":["${OTHER_ID}"],"tags":[{"id" : "${OTHER_ID}", "name" : "new", "createdAt" : 1767323045678, "updatedAt" : 1767323045679, "deleted" : false}],` +
        '"totalStock":0,"translations":[{"locale":"de"}],"vendorId":null,"weight":0.0000001,"version":1,"createdAt":1767323045678,' +
        '"updatedAt":1767323045679,"deleted":false}',
    );
  });
});

it("a price's currency is the same in an event and in an answer", async () => {
  const ctx = await createContext(database.db);
  const own = sql`merchant_id = ${ctx.merchantId}`;
  const { id } = await productSaver(ctx)(plainProduct('a'));
  const lists = [
    { currency: 'EUR', code: null },
    { currency: 'EUR', code: 'EUR' },
    { currency: 'Euro', code: 'EUR' },
  ];
  const prices = [];
  for (const { currency, code } of lists) {
    const [list] = await ctx.db.execute<{ id: string }>(sql`
      insert into price_list (merchant_id, name, currency, currency_code, currency_symbol)
      values (${ctx.merchantId}, ${`${currency} ${code}`}, ${currency}, ${code}, '€') returning id`);
    for (const stated of [null, 'EUR', 'USD'])
      prices.push({ sellPrice: 1, buyPrice: null, discountPrice: null, currency: stated, priceListId: list!.id });
  }
  await ctx.db.execute(sql`update variant set prices = ${JSON.stringify(prices)} where ${own}`);
  const members = { currency: {}, currencyCode: {}, currencySymbol: {} };
  const [product] = await readRecords(ctx, productProjection, [id], { variants: { prices: members } });
  const answered = product!.variants[0]!.prices;
  expect(answered.map(({ currencySymbol }) => currencySymbol)).toEqual([
    '€',
    '€',
    null,
    '€',
    '€',
    null,
    '€',
    '€',
    null,
  ]);
  const [event] = await ctx.db.execute<{ data: string }>(sql`
    select data from product_events(${ctx.merchantId}, array(select p from product p where p.${own}))`);
  const { variants } = JSON.parse(event!.data) as { variants: { prices: object[] }[] };
  expect(variants[0]!.prices).toMatchObject(answered);
});

async function eventOf(table: string, row: object): Promise<string> {
  const [event] = await database.db.execute<{ data: string }>(sql`
    select data from ${sql.raw(`${table}_events`)}(${MERCHANT}, array[json_populate_record(null::${sql.raw(table)}, ${JSON.stringify(row)}::json)])`);
  return event!.data;
}
