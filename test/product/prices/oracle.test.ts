import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { type OracleList, type OracleRow, oraclePrice, savesPrices } from './price-oracle.ts';

const RUNS = 15;
const LISTS = 6;
const CURRENCIES = ['USD', 'EUR', 'JPY', 'KWD'];
/** The currency of the merchant. */
const OWN_CURRENCY = 'USD';

type Read = { id: string; updatedAt: number; version: number; variants: { id: string; prices: Price[] }[] };
type Price = OracleRow & { currencyCode: string; isComputed: boolean };

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
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

const cents = fc.integer({ min: 0, max: 500_000 }).map((value) => value / 100);
const fine = fc.integer({ min: 1, max: 3_000_000 }).map((value) => value / 1_000_000);
const rule = fc.record({
  amount: fc.oneof(cents, fine, fc.integer({ min: -50, max: 150 })),
  amountType: fc.constantFrom('AMOUNT', 'RATIO'),
  operationType: fc.constantFrom('INCREASE', 'DECREASE'),
});
/** An entry of a list's rules. `base`: the index of an earlier list, or null. */
const entry = fc.record({
  base: fc.option(fc.nat(), { freq: 2 }),
  currencyRateSettings: fc.option(
    fc.record({
      type: fc.constantFrom('CUSTOM_RATE', 'CUSTOM_RATE', 'CUSTOM_RATE', 'CURRENT_RATE'),
      amount: fc.option(fc.oneof(fine, fc.constantFrom(1e-12, 9e12)), { freq: 9 }),
    }),
    { freq: 2 },
  ),
  currencySettings: fc.record({
    roundingFormat: fc.option(fc.constantFrom('0.99', '0,95', '.5', '9.95', '0', '0.00', '10', '00', '0.000001', '7')),
  }),
  rules: fc.array(rule, { maxLength: 4 }),
});
const list = fc.record({
  type: fc.constantFrom('DYNAMIC', 'DYNAMIC_RATE', 'MANUAL', null),
  currency: fc.constantFrom(...CURRENCIES),
  addProductsAutomatically: fc.constantFrom(true, false, null),
  entries: fc.array(entry, { minLength: 1, maxLength: 3 }),
});
const price = fc.record({
  sellPrice: fc.oneof(cents, fc.constantFrom(0, 9_999_999_999_999)),
  buyPrice: fc.option(fine),
  discountPrice: fc.option(cents),
  currency: fc.option(fc.constantFrom(...CURRENCIES), { freq: 1 }),
});
const variant = fc.record({ base: price, rows: fc.array(fc.option(price), { minLength: LISTS, maxLength: LISTS }) });
const catalogue = fc.record({
  lists: fc.array(list, { minLength: LISTS, maxLength: LISTS }),
  variants: fc.array(variant, { minLength: 1, maxLength: 3 }),
  named: fc.array(fc.boolean(), { minLength: LISTS, maxLength: LISTS }),
});
type Catalogue = typeof catalogue extends fc.Arbitrary<infer Value> ? Value : never;

it('shows the prices that an independent calculation finds, for random rules and prices', async () => {
  const ids: string[] = [];
  for (let place = 0; place < LISTS; place++)
    ids.push((await call<{ id: string }>('savePriceList', { input: { name: `List ${place}`, currency: 'EUR' } })).id);
  await fc.assert(
    fc.asyncProperty(catalogue, async (made) => {
      // First without rules: otherwise saved rows would be ignored, and earlier rules could form a cycle with the new
      // ones.
      await saveLists(ids, made, (one) => ({ ...one, type: 'MANUAL', ruleList: [] }));
      const saved = made.variants.map(({ base, rows }): OracleRow[] => [
        { ...base, priceListId: null },
        ...rows.flatMap((row, place) => (row ? [{ ...row, priceListId: ids[place]! }] : [])),
      ]);
      const applied = ids.filter((_, place) => made.named[place]);
      const input = {
        name: 'Priced',
        type: 'PHYSICAL',
        dynamicPriceListIds: applied,
        variants: saved.map((prices) => ({ prices })),
      };
      const before = await call<Read>('saveProduct', { input });
      const lists = await saveLists(ids, made, (one) => one);
      const page = await call<{ data: Read[] }>('listProduct', { id: { eq: before.id } });
      const { variants, version, updatedAt } = page.data[0]!;
      expect({ version, updatedAt }).toEqual({ version: before.version, updatedAt: before.updatedAt });
      const shown = made.lists.flatMap((one, place) =>
        one.addProductsAutomatically || made.named[place] ? [ids[place]!] : [],
      );
      const expected = saved.map((rows) => pricesOf(rows, shown, lists));
      expect(variants.map(({ prices }) => prices.map(asExpected))).toEqual(expected);
    }),
    { numRuns: RUNS },
  );
});

async function saveLists(
  ids: readonly string[],
  { lists }: Catalogue,
  change: (input: OracleList & { addProductsAutomatically: boolean | null }) => object,
): Promise<Map<string, OracleList>> {
  const saved = lists.map(({ entries, ...members }, place) => ({
    ...members,
    id: ids[place]!,
    name: `List ${place}`,
    ruleList: entries.map(({ base, ...rest }) => ({
      ...rest,
      basePriceListId: base === null || place === 0 ? null : ids[base % place]!,
    })),
  }));
  for (const input of saved) await call('savePriceList', { input: change(input) });
  return new Map(saved.map((one) => [one.id, one]));
}

function pricesOf(rows: OracleRow[], shown: string[], lists: ReadonlyMap<string, OracleList>) {
  const computes = (id: string | null): boolean => {
    const list = id === null ? undefined : lists.get(id)!;
    if (!list || savesPrices(list)) return false;
    return list.ruleList.some(
      ({ currencyRateSettings: rate }) => !rate || (rate.type === 'CUSTOM_RATE' && rate.amount !== null),
    );
  };
  const kept = rows.filter(({ priceListId }) => !computes(priceListId));
  const asManual = new Map(
    [...lists].map(([id, one]): [string, OracleList] => [id, computes(id) ? one : { ...one, type: 'MANUAL' }]),
  );
  const computed = shown.filter(computes).flatMap((id) => oraclePrice(id, asManual, kept, OWN_CURRENCY) ?? []);
  const all = [
    ...kept.map((row) => ({ ...row, isComputed: false })),
    ...computed.map((row) => ({ ...row, isComputed: true })),
  ];
  return all
    .toSorted((a, b) => ((a.priceListId ?? '') < (b.priceListId ?? '') ? -1 : 1))
    .map((row) => {
      const own = row.priceListId === null ? OWN_CURRENCY : lists.get(row.priceListId)!.currency;
      return asExpected({ ...row, currency: row.currency ?? own, currencyCode: row.currency ?? own });
    });
}

function asExpected({ priceListId, sellPrice, buyPrice, discountPrice, currency, currencyCode, isComputed }: Price) {
  return { priceListId, sellPrice, buyPrice, discountPrice, currency, currencyCode, isComputed };
}
