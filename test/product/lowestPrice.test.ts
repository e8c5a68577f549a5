import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { post } from '../support/post.ts';

const DAY_MS = 86_400_000;
const LOWEST = 'sellPrice currency inForceFrom inForceUntil reason changeIds';

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;

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
});

async function send(name: string, variables: object): Promise<any> {
  return await server.call(ctx, name, variables);
}
async function call(name: string, variables: object): Promise<any> {
  const { data, errors } = await send(name, variables);
  expect(errors).toBeUndefined();
  return data[name];
}

type LowestPrice = { sellPrice: number | null; reason: string | null; inForceFrom: number | null };
type Price = { sellPrice: number; discountPrice?: number | null; currency?: string; priceListId?: string };

/** A variant that had these prices, each for ten days. The last change was ten days ago. */
async function pricedVariant(...steps: Price[]): Promise<{ productId: string; variantId: string }> {
  const [first, ...later] = steps;
  const input = {
    name: 'Mug',
    type: 'PHYSICAL',
    variants: [{ sku: 'M', prices: [{ sellPrice: 99 }, first!].slice(first!.priceListId ? 0 : 1) }],
  };
  const product = await call('saveProduct', { input });
  const [variant] = product.variants;
  for (const price of later)
    await call('saveVariantPrices', {
      input: {
        ...(price.priceListId && { priceListId: price.priceListId }),
        variantPriceInputs: [
          {
            productId: product.id,
            variantId: variant.id,
            price: { sellPrice: price.sellPrice, discountPrice: price.discountPrice, currency: price.currency },
          },
        ],
      },
    });
  const own = sql`merchant_id = ${ctx.merchantId}`;
  const changes = await database.owner.execute<{ id: string }>(
    sql`select id from change where ${own} and record_id = ${product.id} order by id desc`,
  );
  for (const [index, { id }] of changes.entries()) {
    const at = new Date(Date.now() - (index + 1) * 10 * DAY_MS).toISOString();
    await database.owner.execute(sql`update change set created_at = ${at} where ${own} and id = ${id}`);
  }
  await database.owner.execute(
    sql`update merchant set history_since = now() - interval '300 days' where merchant_id = ${ctx.merchantId}`,
  );
  return { productId: product.id, variantId: variant.id };
}

/** Makes 60 changes with 12 MB before and after. Triggers need much longer for as many bytes in a thousand rows. */
async function changeOften(variantId: string, price: Price): Promise<void> {
  for (let step = 0; step < 60; step++)
    await database.owner.execute(sql`
      update variant set prices = (
        select json_agg(price) from (
          select ${JSON.stringify(price)}::json as price
          union all
          select json_build_object(
            'sellPrice', ${step}::integer, 'currency', repeat('x', 100000), 'priceListId', gen_random_uuid())) as prices)
      where merchant_id = ${ctx.merchantId} and id = ${variantId}`);
}

describe('lowestPrice', () => {
  it('is the lowest price in force in the days before the reduction', async () => {
    const { variantId } = await pricedVariant(
      { sellPrice: 5 },
      { sellPrice: 8 },
      { sellPrice: 9 },
      { sellPrice: 9, discountPrice: 7 },
      { sellPrice: 10 },
      { sellPrice: 10, discountPrice: 6 },
      { sellPrice: 10, discountPrice: 4 },
    );
    const lowest = await call('lowestPrice', { variantId });
    expect(lowest).toMatchObject({ sellPrice: 7, currency: expect.any(String), reason: null });
    expect(lowest.inForceUntil - lowest.inForceFrom).toBeCloseTo(10 * DAY_MS, -4);
    const [from, until] = lowest.changeIds;
    expect((await call('getChange', { id: from })).members).toContainEqual({
      path: `variants.${variantId}.prices.base.discountPrice`,
      before: null,
      after: '7',
    });
    expect((await call('getChange', { id: until })).createdAt).toBe(lowest.inForceUntil);
    expect(await call('lowestPrice', { variantId, days: 5 })).toMatchObject({ sellPrice: 10 });
    expect(await call('lowestPrice', { variantId, days: 365 })).toMatchObject({ sellPrice: 5 });
    expect(await call('lowestPrice', { variantId, before: Date.now(), days: 5 })).toMatchObject({ sellPrice: 4 });
  });

  it('is null without a reduction', async () => {
    const { variantId } = await pricedVariant({ sellPrice: 5, discountPrice: 4 }, { sellPrice: 8 });
    expect(await call('lowestPrice', { variantId })).toBeNull();
  });

  it('is null without a reduction, also after more changes than one request may read', async () => {
    const { variantId } = await pricedVariant({ sellPrice: 20 });
    await changeOften(variantId, { sellPrice: 20 });
    expect(await call('lowestPrice', { variantId })).toBeNull();
    expect(await call('lowestPrice', { variantId, before: Date.now() })).toMatchObject({ reason: 'TOO_MANY_CHANGES' });
  }, 120_000);

  it('keeps price lists apart, and has their currency', async () => {
    const { id: priceListId } = await call('savePriceList', { input: { name: 'List', currency: 'SEK' } });
    const { variantId } = await pricedVariant(
      { sellPrice: 50, priceListId },
      { sellPrice: 60, discountPrice: 40, priceListId },
    );
    expect(await call('lowestPrice', { variantId, priceListId })).toMatchObject({ sellPrice: 50, currency: 'SEK' });
    expect(await call('lowestPrice', { variantId })).toBeNull();
  });

  it('takes the currency of a price list and the same currency of a price as one', async () => {
    const list = await call('savePriceList', { input: { name: 'Europe', currency: 'EUR' } });
    const steps = [{ sellPrice: 10 }, { sellPrice: 9 }, { sellPrice: 9, discountPrice: 5 }];
    const { variantId } = await pricedVariant(...steps.map((step) => ({ ...step, priceListId: list.id })));
    await database.owner.execute(sql`
      update change_part set before = replace(before::text, '"currency":null', '"currency":"EUR"')::json
      where merchant_id = ${ctx.merchantId}`);
    const found = await call('lowestPrice', { variantId, priceListId: list.id, days: 15 });
    expect(found).toMatchObject({ sellPrice: 9, currency: 'EUR', reason: null });
  });

  it('is not known if the currency of the merchant changed in the period', async () => {
    const { variantId } = await pricedVariant({ sellPrice: 10 }, { sellPrice: 9, discountPrice: 5 });
    expect(await call('lowestPrice', { variantId, days: 5 })).toMatchObject({ sellPrice: 10 });
    const changed = sql`update merchant set currency_code = 'EUR' where merchant_id = ${ctx.merchantId}`;
    await database.owner.execute(changed);
    await database.owner.execute(sql`
      update merchant set currency_since = now() - interval '12 days' where merchant_id = ${ctx.merchantId}`);
    expect(await call('lowestPrice', { variantId, days: 5 })).toMatchObject({ reason: 'CURRENCY_CHANGED' });
    expect(await call('lowestPrice', { variantId, before: Date.now() })).toMatchObject({ reason: 'CURRENCY_CHANGED' });
  });

  it('is known of a price that names its own currency, whatever that of the merchant was', async () => {
    const own = { currency: 'CHF' };
    const { variantId } = await pricedVariant({ sellPrice: 10, ...own }, { sellPrice: 9, discountPrice: 5, ...own });
    await database.owner.execute(sql`update merchant set currency_code = 'EUR' where merchant_id = ${ctx.merchantId}`);
    expect(await call('lowestPrice', { variantId, days: 5 })).toMatchObject({ sellPrice: 10, currency: 'CHF' });
  });

  it('is not known of a period before the currency changed: it may have changed before, too', async () => {
    const { variantId } = await pricedVariant({ sellPrice: 10 }, { sellPrice: 9, discountPrice: 5 });
    const period = { variantId, days: 3, before: Date.now() - 15 * DAY_MS };
    expect(await call('lowestPrice', period)).toMatchObject({ sellPrice: 10 });
    const changed = (code: string) =>
      database.owner.execute(sql`update merchant set currency_code = ${code} where merchant_id = ${ctx.merchantId}`);
    await changed('EUR');
    await changed('TRY');
    expect(await call('lowestPrice', period)).toMatchObject({ reason: 'CURRENCY_CHANGED' });
  });

  it('is not known of a period before the currency of its price list changed', async () => {
    const list = { name: 'Europe', currency: 'EUR' };
    const { id: priceListId } = await call('savePriceList', { input: list });
    const { variantId } = await pricedVariant({ sellPrice: 10, priceListId }, { sellPrice: 9, priceListId });
    const period = { variantId, priceListId, days: 3, before: Date.now() - 15 * DAY_MS };
    expect(await call('lowestPrice', period)).toMatchObject({ sellPrice: 10, currency: 'EUR' });
    await call('savePriceList', { input: { ...list, id: priceListId, currency: 'SEK' } });
    expect(await call('lowestPrice', period)).toMatchObject({ reason: 'CURRENCY_CHANGED' });
  });

  /** The changes of a record, the first one first, are made so many days ago. */
  async function moveChanges(recordId: string, days: readonly number[]): Promise<void> {
    const own = sql`merchant_id = ${ctx.merchantId}`;
    const changes = await database.owner.execute<{ id: string }>(
      sql`select id from change where ${own} and record_id = ${recordId} order by id`,
    );
    expect(changes).toHaveLength(days.length);
    for (const [index, { id }] of changes.entries())
      await database.owner.execute(
        sql`update change set created_at = now() - ${`${days[index]} days`}::interval where ${own} and id = ${id}`,
      );
  }

  it('is not known of a time in which a price list computed its prices, also if it does not any more', async () => {
    const list = { name: 'List', currency: 'USD' };
    const half = { amount: 50, amountType: 'RATIO', operationType: 'DECREASE' };
    const ruleList = [{ basePriceListId: null, currencySettings: {}, rules: [half] }];
    const { id } = await call('savePriceList', { input: list });
    const { variantId } = await pricedVariant({ sellPrice: 80, priceListId: id });
    await call('savePriceList', { input: { id, ...list, type: 'DYNAMIC', ruleList } });
    await call('savePriceList', { input: { id, ...list, type: 'MANUAL' } });
    await call('deletePriceListList', { idList: [id] });
    await call('savePriceList', { input: { id, ...list, type: 'DYNAMIC', deleted: true } });
    await call('savePriceList', { input: { id, ...list, deleted: false } });
    await call('deletePriceListList', { idList: [id] });
    await moveChanges(id, [290, 260, 200, 150, 140, 130, 60]);
    const [product] = (await call('listProduct', {})).data;
    await moveChanges(product.id, [295]);
    const known = { sellPrice: 80, reason: null };
    const computed = { sellPrice: null, reason: 'COMPUTED_PRICES' };
    const periods = [
      [270, 5, known],
      [230, 5, computed],
      [180, 5, known],
      [145, 5, known],
      [135, 4, known],
      [100, 5, computed],
      [50, 15, computed],
      [40, 5, known],
    ] as const;
    for (const [daysAgo, days, answer] of periods) {
      const before = Date.now() - daysAgo * DAY_MS;
      const found = await call('lowestPrice', { variantId, priceListId: id, days, before });
      expect(found, `${daysAgo} days ago`).toMatchObject(answer);
    }
  });

  it('says that a period is not known', async () => {
    const { variantId } = await pricedVariant({ sellPrice: 9 }, { sellPrice: 9, discountPrice: 7 });
    await database.owner.execute(
      sql`update merchant set history_since = now() - interval '15 days' where merchant_id = ${ctx.merchantId}`,
    );
    await database.owner.execute(
      sql`delete from change where merchant_id = ${ctx.merchantId} and created_at < now() - interval '15 days'`,
    );
    expect(await call('lowestPrice', { variantId })).toEqual({
      sellPrice: null,
      currency: null,
      inForceFrom: null,
      inForceUntil: null,
      reason: 'HISTORY_TOO_SHORT',
      changeIds: [],
    });
  });

  it.each([
    [{ variantId: '01890000-0000-7000-8000-000000000000' }, 'NOT_FOUND', 'Variant'],
    [{ variantId: 'x' }, 'NOT_FOUND', 'Variant'],
  ])('refuses %j', async (variables, code, text) => {
    const { errors } = await send('lowestPrice', variables);
    expect(errors[0]).toMatchObject({ message: expect.stringContaining(text), extensions: { code } });
  });

  it('refuses unknown lists and days outside 1 to 365', async () => {
    const { variantId } = await pricedVariant({ sellPrice: 5 });
    const { errors } = await send('lowestPrice', { variantId, priceListId: 'x' });
    expect(errors[0].extensions).toMatchObject({ code: 'NOT_FOUND', type: 'PriceList', path: ['priceListId'] });
    for (const days of [0, 366, -1]) {
      const { errors: refused } = await send('lowestPrice', { variantId, days });
      expect(refused[0].message).toBe('days: must be from 1 to 365');
    }
    ctx = await createContext(database.db);
    const { errors: foreign } = await send('lowestPrice', { variantId });
    expect(foreign[0].extensions.code).toBe('NOT_FOUND');
  });
});

describe('ProductPrice.lowestPriceBeforeReduction', () => {
  async function read(args: string): Promise<any> {
    const query = `{ listProduct(${args}) { data { variants { id prices { sellPrice low: lowestPriceBeforeReduction { ${LOWEST} } } } } } }`;
    const { body } = await post(`${server.url}/api/v1/admin/graphql`, { query }, { token: ctx.merchantId });
    return body;
  }

  it('is what lowestPrice answers, for each price of a page', async () => {
    await call('listProductTag', {});
    const reduced = await pricedVariant({ sellPrice: 9 }, { sellPrice: 9, discountPrice: 7 });
    const usual = await pricedVariant({ sellPrice: 9 });
    const { data } = await read('sort: "createdAt"');
    const prices = data.listProduct.data.map(({ variants }: any) => variants[0].prices[0]);
    const lowest = await call('lowestPrice', { variantId: reduced.variantId });
    expect(lowest.sellPrice).toBe(9);
    expect(prices).toEqual([
      { sellPrice: 9, low: lowest },
      { sellPrice: 9, low: null },
    ]);
    expect(usual.variantId).toBe(data.listProduct.data[1].variants[0].id);
  });

  async function listed(productId: string): Promise<LowestPrice[]> {
    const { data } = await call('listProduct', { id: { eq: productId } });
    return lowestOf(data[0]);
  }
  const lowestOf = (product: any): LowestPrice[] =>
    product.variants.map(({ prices }: any) => prices[0].lowestPriceBeforeReduction);

  it('is in the answer of the save that creates the price what it is afterwards', async () => {
    const variant = (sku: string) => ({ sku, prices: [{ sellPrice: 10, discountPrice: 8 }] });
    const created = await call('saveProduct', { input: { name: 'Mug', type: 'PHYSICAL', variants: [variant('S')] } });
    expect(lowestOf(created)).toMatchObject([{ sellPrice: null, reason: 'NO_PRICE' }]);
    expect(await listed(created.id)).toEqual(lowestOf(created));
    const updated = await call('updateProduct', { id: created.id, patch: { variants: [variant('L')] } });
    expect(lowestOf(updated)).toMatchObject([{ reason: 'NO_PRICE' }, { reason: 'NO_PRICE' }]);
    expect(await listed(created.id)).toEqual(lowestOf(updated));
  });

  it('is in the answer of the save that begins the reduction what it is afterwards, without earlier changes', async () => {
    const { productId, variantId } = await pricedVariant({ sellPrice: 10 });
    await database.owner.execute(sql`delete from change where merchant_id = ${ctx.merchantId}`);
    const patch = { variants: [{ id: variantId, prices: [{ discountPrice: 8 }] }] };
    const updated = await call('updateProduct', { id: productId, patch });
    expect(lowestOf(updated)).toMatchObject([{ sellPrice: 10, reason: null, inForceFrom: null }]);
    expect(await listed(productId)).toMatchObject([{ sellPrice: 10, reason: null, inForceFrom: null }]);
  });

  it('is refused beside asOf', async () => {
    await call('listProductTag', {});
    const { productId } = await pricedVariant({ sellPrice: 9 });
    const { errors } = await read(`id: {eq: "${productId}"}, asOf: ${Date.now() - 1}`);
    expect((errors as any)[0].message).toContain('lowestPriceBeforeReduction');
  });

  it('is not computed from more changes than one request may read, and neither is lowestPrice', async () => {
    await call('listProductTag', {});
    const { productId, variantId } = await pricedVariant({ sellPrice: 20 }, { sellPrice: 20, discountPrice: 15 });
    await changeOften(variantId, { sellPrice: 20, discountPrice: 15 });
    const expected = { sellPrice: null, reason: 'TOO_MANY_CHANGES' };
    expect(await call('lowestPrice', { variantId })).toMatchObject(expected);
    const { data } = await read(`id: {eq: "${productId}"}`);
    expect(data.listProduct.data[0].variants[0].prices[0].low).toMatchObject(expected);
  }, 120_000);
});
