import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findSession, issueAccessToken, openSessionCache } from '../../../src/app/credentials/access-token.ts';
import type { Context } from '../../../src/context.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { deletePriceListList } from '../../../src/price-list/deletePriceListList.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { sentBack } from '../../support/sent-back.ts';
import { saveWebhook } from '../../../src/webhook/saveWebhook.ts';

type Price = { priceListId: string | null; sellPrice: number; isComputed: boolean };
type Read = {
  id: string;
  name: string;
  version: number;
  updatedAt: number;
  variants: { id: string; prices: Price[] }[];
};

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

async function call<Answer>(name: string, variables: object): Promise<Answer> {
  const { data, errors } = await api.call(ctx, name, variables);
  expect(errors).toBeUndefined();
  return data![name] as Answer;
}
const rule = (operationType: string, amount: number, amountType = 'RATIO') => ({ operationType, amount, amountType });
const entry = (members: object = {}) => ({ basePriceListId: null, currencySettings: {}, rules: [], ...members });
const rounded = (roundingFormat: string | null, ...rules: object[]) =>
  entry({ currencySettings: { roundingFormat }, rules });

/** Saves a dynamic list, by default of all products. */
async function list(entries: object[] | null, members: object = {}): Promise<string> {
  const input = { name: 'List', currency: 'USD', type: 'DYNAMIC', addProductsAutomatically: true, ruleList: entries };
  return (await call<Read>('savePriceList', { input: { ...input, ...members } })).id;
}

async function product(prices: object[], members: object = {}): Promise<Read> {
  return await call('saveProduct', { input: { name: 'Priced', type: 'PHYSICAL', variants: [{ prices }], ...members } });
}

async function read(id: string): Promise<Read> {
  const { data } = await call<{ data: Read[] }>('listProduct', { id: { eq: id } });
  return data[0]!;
}

/** The product's price of this list. */
async function shown(id: string, listId: string): Promise<Price | undefined> {
  return (await read(id)).variants[0]!.prices.find(({ priceListId }) => priceListId === listId);
}

const owned = (table: string, set: SQL, id: string): SQL =>
  sql`update ${sql.identifier(table)} set ${set} where merchant_id = ${ctx.merchantId} and id = ${id}`;

describe('a computed price', () => {
  it.each<[string, object, number, number]>([
    ['the base price without rules', rounded(null), 12.34, 12.34],
    ['a ratio, then an amount', rounded(null, rule('INCREASE', 10), rule('DECREASE', 1, 'AMOUNT')), 10, 10],
    ['an amount, then a ratio', rounded(null, rule('DECREASE', 1, 'AMOUNT'), rule('INCREASE', 10)), 10, 9.9],
    ['exact, where a float is 1.00499999999999989', rounded(null), 1.005, 1.01],
    ['halves up', rounded(null, rule('DECREASE', 50)), 0.25, 0.13],
    ['half of a cent above zero', rounded(null), 0.005, 0.01],
    ['0, not less', rounded(null, rule('DECREASE', 20, 'AMOUNT')), 10, 0],
    ['0, whatever the format is', rounded('0.99', rule('DECREASE', 100)), 10, 0],
    ['the format, at least', rounded('0.99'), 0.2, 0.99],
    ['the nearest .99', rounded('0.99'), 12.3, 11.99],
    ['in the middle the higher one', rounded('0.99'), 12.49, 12.99],
    ['a whole number', rounded('0.00'), 12.5, 13],
    ['the nearest x9.95', rounded('9.95'), 12.3, 9.95],
    ['a multiple that ends in 10', rounded('10'), 61, 110],
    ['a custom rate', entry({ currencyRateSettings: { type: 'CUSTOM_RATE', amount: 0.5 } }), 9.99, 5],
  ])('is %s', async (_name, ruleEntry, sellPrice, expected) => {
    const id = await list([ruleEntry]);
    const { id: productId } = await product([{ sellPrice }]);
    expect(await shown(productId, id)).toMatchObject({ sellPrice: expected, isComputed: true });
  });

  it('has the currency of its list, and its decimals', async () => {
    const id = await list([entry()], { currency: 'JPY', currencySymbol: '¥' });
    const { id: productId } = await product([{ sellPrice: 12.5, discountPrice: 3.4, buyPrice: 1.239 }]);
    expect(await shown(productId, id)).toEqual({
      priceListId: id,
      sellPrice: 13,
      discountPrice: 3,
      buyPrice: 1.239,
      currency: 'JPY',
      currencyCode: 'JPY',
      currencySymbol: '¥',
      isComputed: true,
      lowestPriceBeforeReduction: expect.objectContaining({ sellPrice: null, reason: 'COMPUTED_PRICES' }),
    });
  });

  it('has a computed sell price and discount price, and no other computed member', async () => {
    const rate = { type: 'CUSTOM_RATE', amount: 2 };
    const id = await list([entry({ currencyRateSettings: rate, rules: [rule('INCREASE', 10)] })]);
    const { id: productId } = await product([{ sellPrice: 10, discountPrice: 5, buyPrice: 1.000_001 }]);
    expect(await shown(productId, id)).toMatchObject({ sellPrice: 22, discountPrice: 11, buyPrice: 2.000_002 });
  });

  it('is missing if it would be too large, or if the rate is not known', async () => {
    const rate = (currencyRateSettings: object) => entry({ currencyRateSettings });
    const large = await list([rate({ type: 'CUSTOM_RATE', amount: 1000 })]);
    const ofDay = await list([rate({ type: 'CURRENT_RATE', amount: 2 })]);
    const without = await list([rate({ type: 'CUSTOM_RATE' })]);
    const second = await list([rate({ type: 'CURRENT_RATE' }), rate({ type: 'CUSTOM_RATE', amount: 1000 }), entry()]);
    const { id } = await product([{ sellPrice: 10_000_000_000 }]);
    for (const missing of [large, ofDay, without]) expect(await shown(id, missing)).toBeUndefined();
    expect(await shown(id, second)).toMatchObject({ sellPrice: 10_000_000_000 });
  });
});

describe('a list computes prices', () => {
  it('for the products that name it, and for all with addProductsAutomatically', async () => {
    const named = await list([entry()], { addProductsAutomatically: false });
    const every = await list([entry()]);
    const other = await product([{ sellPrice: 1 }]);
    const { id } = await product([{ sellPrice: 1 }], { dynamicPriceListIds: [named, every] });
    expect((await read(id)).variants[0]!.prices.map(({ priceListId }) => priceListId)).toEqual([null, named, every]);
    expect((await read(other.id)).variants[0]!.prices.map(({ priceListId }) => priceListId)).toEqual([null, every]);
  });

  it('only for its merchant', async () => {
    const { id } = await product([{ sellPrice: 1 }]);
    const own = ctx;
    ctx = await createContext(database.db);
    await list([entry()]);
    ctx = own;
    expect((await read(id)).variants[0]!.prices).toHaveLength(1);
  });

  it('from the prices of another list, computed or saved, also if that list does not apply to the product', async () => {
    const manual = await list(null, { type: 'MANUAL' });
    const first = await list([rounded('0.99', rule('INCREASE', 100))], { addProductsAutomatically: false });
    const second = await list([entry({ basePriceListId: manual }), entry({ basePriceListId: first })]);
    const { id } = await product([{ sellPrice: 6 }]);
    expect(await shown(id, second)).toMatchObject({ sellPrice: 11.99 });
    const other = await product([{ sellPrice: 6 }, { sellPrice: 7, priceListId: manual }]);
    expect(await shown(other.id, second)).toMatchObject({ sellPrice: 7 });
    await deletePriceListList(ctx, { idList: [first] });
    expect(await shown(id, second)).toBeUndefined();
    await deletePriceListList(ctx, { idList: [second] });
    expect((await read(other.id)).variants[0]!.prices).toHaveLength(2);
  });

  describe('by its rate from a row that names', () => {
    const byRate = async (basePriceListId: string | null): Promise<string> =>
      await list([entry({ basePriceListId, currencyRateSettings: { type: 'CUSTOM_RATE', amount: 30 } })], {
        currency: 'TRY',
      });

    it('the currency that its price list has by then', async () => {
      const base = { name: 'Base', currency: 'EUR' };
      const { id: baseId } = await call<Read>('savePriceList', { input: base });
      const { id: productId } = await product([
        { sellPrice: 1 },
        { sellPrice: 10, currency: 'USD', priceListId: baseId },
      ]);
      const id = await byRate(baseId);
      expect(await shown(productId, id)).toBeUndefined();
      await call('savePriceList', { input: { ...base, id: baseId, currency: 'USD' } });
      expect(await shown(productId, id)).toMatchObject({ sellPrice: 300 });
    });

    it('the code of its price list', async () => {
      const base = { name: 'Base', currency: 'EUR', currencyCode: 'USD' };
      const { id: baseId } = await call<Read>('savePriceList', { input: base });
      const { id: productId, variants } = await product([{ sellPrice: 1 }, { sellPrice: 10, priceListId: baseId }]);
      const prices = JSON.stringify([{ sellPrice: 10, priceListId: baseId, currency: 'USD' }]);
      await database.db.execute(owned('variant', sql`prices = ${prices}::json`, variants[0]!.id));
      expect(await shown(productId, await byRate(baseId))).toMatchObject({ sellPrice: 300 });
    });

    it('the currency that the merchant has by then', async () => {
      const { id: productId } = await product([{ sellPrice: 10, currency: 'EUR' }]);
      const id = await byRate(null);
      expect(await shown(productId, id)).toBeUndefined();
      await database.owner.execute(
        sql`update merchant set currency_code = 'EUR' where merchant_id = ${ctx.merchantId}`,
      );
      expect(await shown(productId, id)).toMatchObject({ sellPrice: 300 });
    });

    it('the currency of its own price list, which is also that of this one', async () => {
      const { id: productId, variants } = await product([{ sellPrice: 10 }]);
      const id = await list([entry({ currencyRateSettings: { type: 'CUSTOM_RATE', amount: 30 } })]);
      const prices = JSON.stringify([{ sellPrice: 10, currency: 'USD' }]);
      expect(await shown(productId, id)).toMatchObject({ sellPrice: 300 });
      await database.db.execute(owned('variant', sql`prices = ${prices}::json`, variants[0]!.id));
      expect(await shown(productId, id)).toMatchObject({ sellPrice: 300 });
    });
  });

  it('not from a row in a third currency, and without conversion from one in its own', async () => {
    const rate = { type: 'CUSTOM_RATE', amount: 3 };
    const id = await list([entry({ currencyRateSettings: rate })], { currency: 'EUR', currencyCode: 'EUR' });
    const priced = async (currency: string) => (await product([{ sellPrice: 5, currency }])).id;
    expect(await shown(await priced('USD'), id)).toMatchObject({ sellPrice: 15 });
    expect(await shown(await priced('EUR'), id)).toMatchObject({ sellPrice: 5 });
    expect(await shown(await priced('TRY'), id)).toBeUndefined();
  });

  it('instead of its saved rows, which are shown again when it is manual again', async () => {
    const id = await list([rounded(null, rule('INCREASE', 10))], { type: 'MANUAL' });
    const { id: productId } = await product([{ sellPrice: 10 }, { sellPrice: 4, priceListId: id }]);
    expect(await shown(productId, id)).toMatchObject({ sellPrice: 4, isComputed: false });
    await call('savePriceList', { input: { id, name: 'List', currency: 'USD', type: 'DYNAMIC_RATE' } });
    expect(await shown(productId, id)).toMatchObject({ sellPrice: 11, isComputed: true });
    await call('savePriceList', {
      input: { id, name: 'List', currency: 'USD', addProductsAutomatically: false },
    });
    expect(await shown(productId, id)).toBeUndefined();
    await call('savePriceList', { input: { id, name: 'List', currency: 'USD', type: null } });
    expect(await shown(productId, id)).toMatchObject({ sellPrice: 4, isComputed: false });
  });

  it('whose saved rows conditions and sorting ignore meanwhile', async () => {
    const id = await list([entry()], { type: 'MANUAL' });
    const { id: productId } = await product([{ sellPrice: 100 }, { sellPrice: 50, priceListId: id }]);
    const found = async (price: object) =>
      (await call<{ data: Read[] }>('listProduct', { price: { priceListId: id, ...price } })).data.length;
    const searched = async (price: object) => {
      const input = { price: { priceListId: id, ...price }, sort: 'price' };
      return (await call<{ results: Read[] }>('searchProducts', { input })).results.length;
    };
    const all = async () => [
      await found({ gte: 50, lte: 50 }),
      await found({ isNull: true }),
      await found({ isNull: false }),
      await searched({ gte: 50 }),
      await searched({ isNull: true }),
    ];
    expect(await all()).toEqual([1, 0, 1, 1, 0]);
    await call('savePriceList', { input: { id, name: 'List', currency: 'USD', type: 'DYNAMIC' } });
    expect(await shown(productId, id)).toMatchObject({ sellPrice: 100 });
    expect(await all()).toEqual([0, 1, 0, 0, 1]);
    await call('deletePriceListList', { idList: [id] });
    expect(await all()).toEqual([1, 0, 1, 1, 0]);
  });

  it('in a search, too', async () => {
    const id = await list([entry()]);
    const { id: productId } = await product([{ sellPrice: 3 }]);
    const { results } = await call<{ results: Read[] }>('searchProducts', { input: { productIdList: [productId] } });
    expect(results[0]!.variants[0]!.prices[1]).toMatchObject({ priceListId: id, isComputed: true });
  });
});

describe('a merchant without dynamic price lists', () => {
  const statementOf = async (): Promise<string> => {
    const from = database.statements.length;
    // Without lowestPriceBeforeReduction, which reads the histories of price lists.
    await api.query(ctx, '{ listProduct { data { variants { prices { sellPrice isComputed } } } } }');
    return database.statements.slice(from).find((text) => text.includes('variant'))!;
  };

  it('has pages that do not read rules, because its session says that there are none', async () => {
    const token = await issueAccessToken(ctx, {
      authorizedAppId: ctx.session.authorizedAppId,
      scopes: [...ctx.session.scopes],
    });
    const session = async () => (await findSession({ db: database.db, sessions: openSessionCache() }, token))!;
    await list([entry()], { type: 'MANUAL' });
    ctx = { ...ctx, session: await session() };
    expect(await statementOf()).not.toContain('rule_list');
    const { id } = await product([{ sellPrice: 1 }]);
    const listId = await list([entry()]);
    ctx = { ...ctx, session: await session() };
    expect(await statementOf()).toContain('rule_list');
    expect(await shown(id, listId)).toBeDefined();
  });
});

describe('the first list of a merchant that computes', () => {
  it('although 50 older lists have empty lists of rules', async () => {
    await database.db.execute(sql`
      insert into price_list (merchant_id, name, currency, type, rule_list)
      select ${ctx.merchantId}, 'Empty', 'USD', 'DYNAMIC', '[]' from generate_series(1, 50)`);
    const computing = await list([rounded(null)]);
    expect(await shown((await product([{ sellPrice: 5 }])).id, computing)).toMatchObject({ sellPrice: 5 });
  });

  it('has an effect at once for the app that saves it', async () => {
    const session = { ...ctx.session, hasDynamicPriceLists: false };
    ctx = { ...ctx, session };
    const { id } = await product([{ sellPrice: 1 }]);
    const manual = await list([entry()], { type: 'MANUAL' });
    expect(await shown(id, manual)).toBeUndefined();
    const listId = await list([entry()]);
    expect(await shown(id, listId)).toMatchObject({ sellPrice: 1, isComputed: true });
  });
});

describe('computed prices follow plain SQL', () => {
  it('on a price, on the rules, on the type and on the list of a product', async () => {
    const id = await list([entry()], { addProductsAutomatically: false });
    const { id: productId, variants } = await product([{ sellPrice: 1 }]);
    const change = async (table: string, set: SQL, row: string) => await database.db.execute(owned(table, set, row));
    await change('product', sql`dynamic_price_list_ids = array[${id}::uuid]`, productId);
    expect(await shown(productId, id)).toMatchObject({ sellPrice: 1 });
    await change(
      'variant',
      sql`prices = ${JSON.stringify([{ sellPrice: 2, priceListId: null, currency: null }])}::json`,
      variants[0]!.id,
    );
    expect(await shown(productId, id)).toMatchObject({ sellPrice: 2, discountPrice: null });
    const ruleList = JSON.stringify([rounded('0.5')]);
    await change('price_list', sql`rule_list = ${ruleList}::json`, id);
    expect(await shown(productId, id)).toMatchObject({ sellPrice: 2.5 });
    await change('price_list', sql`type = 'MANUAL'`, id);
    expect(await shown(productId, id)).toBeUndefined();
  });

  it('and never fail because of rules that the service would refuse', async () => {
    const [id, other] = [await list([entry()]), await list([entry()])];
    const { id: productId } = await product([{ sellPrice: 1 }]);
    const rules: unknown[] = [
      null,
      'text',
      {},
      [null],
      [{}],
      [{ ...entry(), rules: [{ ...rule('INCREASE', 1), amount: 'x' }] }],
      [entry({ basePriceListId: 7 })],
      [entry({ basePriceListId: 'no id' })],
      [entry({ basePriceListId: id })],
      [entry({ basePriceListId: other })],
      [entry({ basePriceListId: newId() })],
      [rounded('x')],
      Array.from({ length: 6 }, () => entry()),
    ];
    await database.db.execute(
      owned('price_list', sql`rule_list = ${JSON.stringify([entry({ basePriceListId: id })])}::json`, other),
    );
    for (const stored of rules) {
      await database.db.execute(owned('price_list', sql`rule_list = ${JSON.stringify(stored)}::json`, id));
      expect(await shown(productId, id), JSON.stringify(stored)).toBeUndefined();
    }
  });
});

describe('inputs ignore the rows of a list that computes', () => {
  it('in saveProduct, updateProduct, bulkUpdateProducts and saveVariantPrices: nothing changes', async () => {
    const id = await list([rounded(null, rule('INCREASE', 10))]);
    const { id: productId } = await product([{ sellPrice: 10 }]);
    const before = await read(productId);
    const variantId = before.variants[0]!.id;
    const row = { sellPrice: 99, priceListId: id };
    expect(await call('saveProduct', { input: sentBack('saveProduct', before) })).toEqual(before);
    expect(
      await call('updateProduct', { id: productId, patch: { variants: [{ id: variantId, prices: [row] }] } }),
    ).toEqual(before);
    await call('bulkUpdateProducts', {
      input: [
        {
          id: productId,
          name: before.name,
          type: 'PHYSICAL',
          categories: [],
          productVariantTypes: [],
          variants: [{ id: variantId, prices: [row], variantValues: [] }],
        },
      ],
    });
    const prices = { priceListId: id, variantPriceInputs: [{ productId, variantId, price: { sellPrice: 99 } }] };
    expect(await call('saveVariantPrices', { input: prices })).toBe(true);
    expect(await read(productId)).toEqual(before);
    const [stored] = await database.db.execute<{ prices: Price[] }>(
      sql`select prices from variant where merchant_id = ${ctx.merchantId} and id = ${variantId}`,
    );
    expect(stored!.prices).toHaveLength(1);
  });

  it('in updateProduct also if they have no sellPrice', async () => {
    const priceListId = await list([entry()], { addProductsAutomatically: false });
    const manual = await list([], { type: 'MANUAL' });
    const { id, variants } = await product([{ sellPrice: 10 }]);
    const update = async (variantId: string, prices: object[]) =>
      await api.call(ctx, 'updateProduct', { id, patch: { variants: [{ id: variantId, prices }] } });
    const computed = { buyPrice: 1, priceListId };
    expect((await update(variants[0]!.id, [computed])).errors).toBeUndefined();
    const refused = await update(variants[0]!.id, [computed, { buyPrice: 1, priceListId: manual }]);
    expect(refused.errors).toMatchObject([
      {
        extensions: {
          code: 'ARGUMENT_VALIDATION_ERROR',
          issues: [{ path: ['patch', 'variants', 0, 'prices', 1, 'sellPrice'] }],
        },
      },
    ]);
    const unknown = newId();
    expect((await update(unknown, [{ buyPrice: 1 }])).errors).toMatchObject([
      { extensions: { code: 'NOT_FOUND', ids: [unknown], path: ['patch', 'variants', 0, 'id'] } },
    ]);
  });

  it('except rows of a list that cannot compute, which are saved', async () => {
    const ofDay = await list([entry({ currencyRateSettings: { type: 'CURRENT_RATE' } })]);
    const empty = await list([]);
    const rows = [ofDay, empty].map((priceListId) => ({ sellPrice: 7, priceListId }));
    const { id } = await product([{ sellPrice: 1 }, ...rows]);
    expect((await read(id)).variants[0]!.prices).toMatchObject([
      {},
      ...rows.map((row) => ({ ...row, isComputed: false })),
    ]);
  });

  it('and events neither follow nor contain computed rows', async () => {
    await saveWebhook(
      ctx,
      { input: { endpoint: 'https://receiver.example/', scopes: ['store/product/updated'] } },
      { id: {} },
    );
    const { id, version, updatedAt } = await product([{ sellPrice: 10 }]);
    const listId = await list([entry()]);
    await call('savePriceList', { input: { id: listId, name: 'List', currency: 'EUR', ruleList: [rounded('0.99')] } });
    const payloads = async () =>
      (
        await database.db.execute<{ payload: string }>(
          sql`select data as payload from webhook_delivery where merchant_id = ${ctx.merchantId}`,
        )
      ).map(({ payload }) => payload);
    expect(await payloads()).toEqual([]);
    expect(await read(id)).toMatchObject({ version, updatedAt });
    await call('updateProduct', { id, patch: { name: 'Renamed' } });
    const [payload, ...others] = await payloads();
    expect(others).toEqual([]);
    expect(payload).toContain('Renamed');
    expect(payload).not.toMatch(new RegExp(`isComputed|${listId}`));
  });

  it('and events have the saved rows of the lists that do not compute, no others', async () => {
    await saveWebhook(
      ctx,
      { input: { endpoint: 'https://receiver.example/', scopes: ['store/product/updated'] } },
      { id: {} },
    );
    const ofDay = await list([entry({ currencyRateSettings: { type: 'CURRENT_RATE' } })]);
    const untyped = await list([entry()], { type: undefined });
    const listId = await list([]);
    const { id } = await product(
      [10, 50, 7, 8].map((sellPrice, place) => ({ sellPrice, priceListId: [null, listId, ofDay, untyped][place] })),
    );
    const sentPrices = async (): Promise<Price[]> => {
      const [{ payload }] = (await database.db.execute<{ payload: string }>(
        sql`select data as payload from webhook_delivery where merchant_id = ${ctx.merchantId} order by created_at desc, id desc limit 1`,
      )) as unknown as [{ payload: string }];
      return (JSON.parse(payload) as { variants: { prices: Price[] }[] }).variants[0]!.prices;
    };
    await call('updateProduct', { id, patch: { name: 'Saved' } });
    expect((await sentPrices()).map(({ sellPrice }) => sellPrice).toSorted((a, b) => a - b)).toEqual([7, 8, 10, 50]);
    await call('savePriceList', { input: { id: listId, name: 'List', currency: 'EUR', ruleList: [entry()] } });
    await call('updateProduct', { id, patch: { name: 'Computed' } });
    expect((await sentPrices()).map(({ priceListId }) => priceListId)).toEqual([null, ofDay, untyped]);
  });
});
