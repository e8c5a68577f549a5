import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/db/sql/id.ts';
import { withoutTriggers } from '../support/database.ts';
import { type Answer, codes } from '../support/post.ts';
import { memoryGrowthMib } from '../support/own-service.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

/** Each has 2 MB of attributes and settings. Ordinary requests that change one product each can store them. */
const PRODUCTS = 100;
const TEXT_BYTES = 1_800_000;
const NUMBERS = 33_000;
const PRICED_VARIANTS = 3_000;
/** Price rows of each variant, 110 MB in all. */
const PRICE_LISTS = 300;
/** Products whose metadata have 60 MB. */
const PAGES = 30;
const DESCRIPTION_BYTES = 2_000_000;
/** Reading the products takes 260 MiB, and without reading them it is 25. */
const MAX_GROWTH_MIB = 200;
/** Records that are saved in time. */
const FEW = 5;
/**
 * The history of all changes takes longer than the default of 15 s too. What the service reads to save them, it has read
 * within a second; few changes take about as long.
 */
const STATEMENT_TIMEOUT_MS = 6_000;
/** Recording the changes in the history may take longer than a statement may. */
const SAVED_OR_TOO_LONG = ['', 'TIMEOUT'];

let service: AttackedService;
let productIds: string[];
let channelId: string;
beforeAll(async () => {
  service = await startAttackedService({ STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS) });
  const { database, attacker } = service;
  const { merchantId } = attacker.ctx;
  const [channel] = await database.db.execute<{ id: string }>(sql`
    insert into sales_channel (merchant_id, id, name, type) values (${merchantId}, uuid_v7(), 'Web', 'STOREFRONT')
    returning id`);
  channelId = channel!.id;
  // With triggers the lists would be stored again in the history.
  await withoutTriggers(database.owner, async (owner) => {
    const rows = await owner.execute<{ id: string }>(sql`
      with large as materialized (
        select json_build_array(json_build_object('value', repeat('text ', ${TEXT_BYTES / 5}::int))) as attributes,
          json_build_array(json_build_object('id', ${channelId}::text, 'status', 'HIDDEN',
            'quantitySettings', ('[' || repeat('10000,', ${NUMBERS}::int) || '10000]')::json)) as settings)
      insert into product (merchant_id, id, name, type, attributes, sales_channels)
      select ${merchantId}, uuid_v7(), 'Large ' || n, 'PHYSICAL', attributes, settings
      from large, generate_series(1, ${PRODUCTS}::int) as n returning id`);
    productIds = rows.map(({ id }) => id);
  });
});
afterAll(() => service.stop());

it('does not read products with 200 MB to change their sales channels', async () => {
  const query = `mutation ($salesChannelId: String, $input: [UpdateProductSalesChannelStatusInput!]!) {
    updateProductSalesChannelStatus(salesChannelId: $salesChannelId, input: $input)
  }`;
  const input = productIds.map((productId) => ({ productId, active: true }));
  const bodyOf = (input: object[]) => ({ query, variables: { salesChannelId: channelId, input } });
  const { answers, growthMib } = await sendTwice('sales channels of large products', bodyOf(input));
  for (const answer of answers) expect(SAVED_OR_TOO_LONG).toContain(codes(answer).join());
  expect(growthMib).toBeLessThan(MAX_GROWTH_MIB);
  expect(codes(await service.attacker.send(bodyOf(input.slice(0, FEW))))).toEqual([]);
}, 240_000);

it('does not read the prices of variants with 110 MB of them to save prices', async () => {
  const { database, attacker } = service;
  const { merchantId } = attacker.ctx;
  await withoutTriggers(
    database.owner,
    async (owner) =>
      await owner.execute(sql`
        with large as materialized (
          select json_agg(json_build_object(
            'sellPrice', n, 'buyPrice', null, 'discountPrice', null, 'currency', null,
            'priceListId', case when n > 1 then '00000000-0000-7000-8000-' || lpad(n::text, 12, '0') end)) as prices
          from generate_series(1, ${PRICE_LISTS}::int) as n)
        insert into variant (merchant_id, id, product_id, position, prices)
        select ${merchantId}, uuid_v7(), (${`{${productIds.join()}}`}::uuid[])[1 + n / 1000], n, prices
        from large, generate_series(0, ${PRICED_VARIANTS - 1}::int) as n`),
  );
  const variants = await database.db.execute<{ variantId: string; productId: string }>(sql`
    select id as "variantId", product_id as "productId" from variant where merchant_id = ${merchantId}`);
  const query = 'mutation ($input: SaveVariantPricesInput!) { saveVariantPrices(input: $input) }';
  const variantPriceInputs = variants.map((variant) => ({ ...variant, price: { sellPrice: 5 } }));
  const bodyOf = (variantPriceInputs: object[]) => ({ query, variables: { input: { variantPriceInputs } } });
  const { answers, growthMib } = await sendTwice('variants of many prices', bodyOf(variantPriceInputs));
  for (const answer of answers) expect(SAVED_OR_TOO_LONG).toContain(codes(answer).join());
  expect(growthMib).toBeLessThan(MAX_GROWTH_MIB);
  expect(codes(await attacker.send(bodyOf(variantPriceInputs.slice(0, FEW))))).toEqual([]);
}, 240_000);

it('refuses products that have more than 48 MiB of metadata together', async () => {
  const { database, attacker } = service;
  const { merchantId } = attacker.ctx;
  const ids = Array.from({ length: PAGES }, newId);
  await withoutTriggers(database.owner, async (owner) => {
    await owner.execute(sql`
      insert into product (merchant_id, id, name, type)
      select ${merchantId}, id, 'Page', 'PHYSICAL' from unnest(${`{${ids.join()}}`}::uuid[]) as id`);
    await owner.execute(sql`
      insert into html_meta_data (merchant_id, id, target_id, target_type, slug, description)
      select ${merchantId}, uuid_v7(), id, 'PRODUCT', id::text, repeat('long ', ${DESCRIPTION_BYTES / 5}::int)
      from unnest(${`{${ids.join()}}`}::uuid[]) as id`);
  });
  const members = { name: 'Page', type: 'PHYSICAL', variants: [], categories: [], productVariantTypes: [] };
  const query = 'mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }';
  const bodyOf = (list: string[]) => ({ query, variables: { input: list.map((id) => ({ ...members, id })) } });
  const { answers, growthMib } = await sendTwice('products of long pages', bodyOf(ids));
  for (const answer of answers) {
    expect(codes(answer)).toEqual(['ARGUMENT_VALIDATION_ERROR']);
    expect(JSON.stringify(answer.body)).toContain('send fewer products at once');
  }
  expect(growthMib).toBeLessThan(MAX_GROWTH_MIB);
  expect(codes(await attacker.send(bodyOf(ids.slice(0, PAGES / 2))))).toEqual([]);
}, 240_000);

async function sendTwice(name: string, body: object): Promise<{ answers: Answer[]; growthMib: number }> {
  const { attacker } = service;
  let answers: Answer[] = [];
  const growthMib = await memoryGrowthMib(service, async () => {
    const report = await attack(name, service, async () => {
      answers = await Promise.all([attacker.send(body), attacker.send(body)]);
    });
    expectUnharmed(report);
  });
  return { answers, growthMib };
}
