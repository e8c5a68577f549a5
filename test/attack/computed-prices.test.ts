import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { codes } from '../support/post.ts';
import type { Merchant } from '../support/own-service.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

const VARIANTS = 1_000;
const LISTS = 50;
const ENTRIES = 5;
const RULES = 20;
/** Price lists that never compute, stored by plain SQL. */
const OTHER_LISTS = 5_000;
const EFFECT_TIMEOUT_MS = 5_000;
/** More than are executed at once, so that some wait. */
const PAGES_AT_ONCE = 48;

let service: AttackedService;
beforeAll(async () => void (service = await startAttackedService()));
afterAll(async () => await service.stop());

it('a product of 1,000 variants and 50 price lists, each based on the one before, delays no other merchant', async () => {
  const merchant = await service.createMerchant();
  await service.database.db.execute(sql`
    insert into price_list (merchant_id, name, currency, type, rule_list)
    select ${merchant.ctx.merchantId}, 'Other', 'EUR', 'MANUAL', ${JSON.stringify(entries(null))}::json
    from generate_series(1, ${sql.raw(String(OTHER_LISTS))})`);
  const variants = Array.from({ length: VARIANTS }, (_, index) => ({ prices: [{ sellPrice: 1 + index / 100 }] }));
  const product = { name: 'Priced', type: 'PHYSICAL', variants };
  const saveProduct = 'mutation ($input: ProductInput!) { saveProduct(input: $input) { id } }';
  expect(codes(await merchant.send({ query: saveProduct, variables: { input: product } }))).toEqual([]);
  const report = await attack('a chain of computing price lists', service, async () => {
    let base: string | null = null;
    for (let place = 0; place < LISTS; place++) base = await saveList(merchant, base);
    // The first list of a merchant has an effect within a second.
    await vi.waitFor(
      async () => expect(await shownPrices(merchant)).toEqual(variants.map(() => 1 + LISTS)),
      EFFECT_TIMEOUT_MS,
    );
  });
  expectUnharmed(report);
  const query = '{ listProduct { data { variants { prices { sellPrice } } } } }';
  const atOnce = await attack(`${PAGES_AT_ONCE} pages of computed prices at once`, service, async () => {
    await Promise.all(Array.from({ length: PAGES_AT_ONCE }, async () => await merchant.send({ query })));
  });
  expectUnharmed(atOnce);
});

/** The number of prices of each variant of the merchant's only product. */
async function shownPrices(merchant: Merchant): Promise<number[]> {
  const query = '{ listProduct { data { variants { prices { priceListId sellPrice isComputed } } } } }';
  const answer = await merchant.send({ query });
  expect(codes(answer)).toEqual([]);
  const { data } = answer.body.data!['listProduct'] as { data: { variants: { prices: object[] }[] }[] };
  return data[0]!.variants.map(({ prices }) => prices.length);
}

/** Entries of which only the last one gives prices, because the results of the others are too large. */
function entries(basePriceListId: string | null): object[] {
  const rules = Array.from({ length: RULES }, (_, index) => ({
    amount: 0.123_456_789_012_345,
    amountType: 'RATIO',
    operationType: index % 2 === 0 ? 'INCREASE' : 'DECREASE',
  }));
  const rate = (amount: number) => ({ amount, type: 'CUSTOM_RATE' });
  return Array.from({ length: ENTRIES }, (_, index) => ({
    basePriceListId,
    currencyRateSettings: rate(index < ENTRIES - 1 ? 9_999_999_999_999 : 1.000_000_000_001),
    currencySettings: {},
    rules,
  }));
}

async function saveList(merchant: Merchant, base: string | null): Promise<string> {
  const input = {
    name: 'Computing',
    currency: 'EUR',
    type: 'DYNAMIC',
    addProductsAutomatically: true,
    ruleList: entries(base),
  };
  const query = 'mutation ($input: PriceListInput!) { savePriceList(input: $input) { id } }';
  const answer = await merchant.send({ query, variables: { input } });
  expect(codes(answer)).toEqual([]);
  return (answer.body.data!['savePriceList'] as { id: string }).id;
}
