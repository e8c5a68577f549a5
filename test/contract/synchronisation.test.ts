import { isDeepStrictEqual } from 'node:util';
import fc, { type Arbitrary } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { sentBack } from '../support/sent-back.ts';
import { createShop, type Shop } from './calls.ts';
import { families, type Family, type SyncedRecord } from './synchronised-families.ts';

/**
 * 10,000 take 90 s on a quiet machine: SYNCHRONISATION_CHANGES=10000 npx vitest run
 * test/contract/synchronisation.test.ts
 */
const CHANGES = Number(process.env.SYNCHRONISATION_CHANGES ?? 200);
const SEED = Number(process.env.SYNCHRONISATION_SEED ?? 15);
const MAX_RECORDS = 6;
const PAGE = 200;

type Copy = Map<string, SyncedRecord>;
type Change = { affected: string[]; done: boolean };

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
let shop: Shop;
let all: { [type: string]: Family };

beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  ctx = await createContext(database.db);
  shop = await createShop(api.call, ctx);
  all = families(shop);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

describe('updatedAt and version', () => {
  it(
    `move exactly when what a record shows has changed, so that a client that asks for newer ones has all of ${CHANGES} changes`,
    { timeout: 60_000 + CHANGES * 200 },
    async () => {
      const source = await readAll();
      const client = new Map(Object.keys(all).map((type) => [type, { copy: new Map() as Copy, cursor: 0 }]));
      const done: Record<string, number> = {};
      const wrong: unknown[] = [];
      for (let step = 0; step < CHANGES; step++) {
        const pick = chooser(step);
        const type = pick(fc.constantFrom(...Object.keys(all), 'product', 'product', 'product'));
        const { name, run } = change(type, source.get(type)!, pick);
        const { affected, done: isDone } = await run();
        for (const one of affected) await checkMoves(one, source, `change ${step}: ${name} of a ${type}`, wrong);
        if (isDone) done[name] = (done[name] ?? 0) + 1;
        if (step % 7 === 0) await synchronise(client);
      }
      expect(wrong).toEqual([]);
      await synchronise(client);
      const now = await readAll();
      for (const [type, { copy }] of client)
        expect([type, shownOf(type, copy)]).toEqual([type, shownOf(type, now.get(type)!)]);
      if (CHANGES < 200) return;
      expect(Object.keys(done).sort()).toEqual([
        'create',
        'prices',
        'remove',
        'resend',
        'restore',
        'status',
        'stock',
        'update',
      ]);
    },
  );
});

type Choose = <T>(arbitrary: Arbitrary<T>) => T;

/** Makes the same choices for the same seed and step. */
function chooser(step: number): Choose {
  let seed = SEED * 1_000_003 + step * 101;
  return (arbitrary) => fc.sample(arbitrary, { seed: seed++, numRuns: 1 })[0]!;
}

function change(type: string, records: Copy, pick: Choose): { name: string; run: () => Promise<Change> } {
  const kinds = ['create', 'update', 'update', 'update', 'update', 'resend', 'resend', 'remove', 'restore'];
  const name = pick(fc.constantFrom(...kinds, ...(type === 'product' ? ['prices', 'status', 'stock'] : [])));
  const record = records.size === 0 ? undefined : pick(fc.constantFrom(...records.values()));
  const family = all[type]!;
  if (!record || (name === 'create' && records.size < MAX_RECORDS))
    return { name: 'create', run: async () => await save(type, chosen(family, pick)) };
  switch (name) {
    case 'remove':
      // The records of the shop are only sent back unchanged, because other records refer to them.
      if (Object.values(shop).includes(record.id))
        return { name: 'resend', run: async () => await resend(type, record) };
      return { name, run: async () => await call([type], family.remove, { idList: [record.id] }) };
    case 'restore':
      return { name, run: async () => await save(type, { ...current(family, record), deleted: false }) };
    case 'resend':
      return { name, run: async () => await resend(type, record) };
    case 'prices':
    case 'status':
    case 'stock':
      return { name, run: async () => await changePart(name, record, pick) };
    default:
      return {
        name: 'update',
        run: async () => await save(type, { ...current(family, record), ...chosen(family, pick, record) }),
      };
  }
}

/** The id and the required members, with their stored values. */
function current(family: Family, record: SyncedRecord): object {
  const members = ['id', ...Object.keys(family.required())].map((member) => [member, record[member]]);
  return sentBack(family.save, Object.fromEntries(members));
}

/** Random values: of all required members for a new record, of one or two members for a stored one. */
function chosen(family: Family, pick: Choose, record?: SyncedRecord): object {
  const members = { ...family.required(record), ...family.optional(record) };
  if (!record) return pick(fc.record(members, { requiredKeys: Object.keys(family.required()) }));
  const names = pick(fc.subarray(Object.keys(members), { minLength: 1, maxLength: 2 }));
  return Object.fromEntries(names.map((name) => [name, pick(members[name]!)]));
}

async function save(type: string, input: object): Promise<Change> {
  return await call([type], all[type]!.save, { input });
}

/** Reads the record first, because the members that it shows of other records may have changed. */
async function resend(type: string, { id }: SyncedRecord): Promise<Change> {
  const [record] = await readList(type, { id: { eq: id } });
  const result = await save(type, sentBack(all[type]!.save, record));
  expect(result.done).toBe(true);
  return result;
}

async function changePart(name: 'prices' | 'status' | 'stock', record: SyncedRecord, pick: Choose): Promise<Change> {
  const productId = record.id;
  const variantId = (record['variants'] as { id: string }[])[0]?.id ?? 'x';
  const number = pick(fc.constantFrom(1, 2));
  const at = { productId, variantId };
  if (name === 'status') {
    const input = [{ productId, active: pick(fc.boolean()) }];
    return await call(['product'], 'updateProductSalesChannelStatus', { salesChannelId: shop.salesChannel, input });
  }
  if (name === 'stock') {
    const entry = { ...at, stockLocationId: shop.stockLocation, stockCount: number };
    return await call(['product'], 'saveProductStockLocations', { input: { productStockLocationInputs: [entry] } });
  }
  const priceListId = pick(fc.constantFrom(null, shop.priceList));
  const variantPriceInputs = [{ ...at, price: { sellPrice: number } }];
  return await call(['product'], 'saveVariantPrices', { input: { priceListId, variantPriceInputs } });
}

/** A request that is refused, for example because its name is taken, affects no record. */
async function call(affected: string[], operation: string, variables: object): Promise<Change> {
  const { errors } = await api.call(ctx, operation, variables);
  const codes = (errors ?? []).map(({ extensions }) => extensions['code']);
  const known = ['CONFLICT', 'NOT_FOUND', 'ARGUMENT_VALIDATION_ERROR'];
  expect(
    codes.filter((code) => !known.includes(code as string)),
    JSON.stringify(errors),
  ).toEqual([]);
  return { affected, done: codes.length === 0 };
}

/** Adds to `wrong` records whose `updatedAt` has moved without a change, and those changed without a move of it. */
async function checkMoves(type: string, source: Map<string, Copy>, what: string, wrong: unknown[]): Promise<void> {
  const now = (await readAll([type])).get(type)!;
  for (const record of now.values()) {
    const before = source.get(type)!.get(record.id);
    if (!before) continue;
    const [shownBefore, shownAfter] = [shown(type, before), shown(type, record)];
    const isChanged = !isDeepStrictEqual(shownBefore, shownAfter);
    const expected = { updatedAt: isChanged ? 'later' : 'equal', version: isChanged ? 'later' : 'equal' };
    const actual = {
      updatedAt: compared(before.updatedAt, record.updatedAt),
      version: record.version === undefined ? expected.version : compared(before.version!, record.version),
    };
    const isWrong = !isDeepStrictEqual(actual, expected) || (isChanged && what.includes('resend'));
    if (isWrong) wrong.push({ what, actual, before: shownBefore, after: shownAfter });
  }
  source.set(type, now);
}

function compared(before: number, after: number): 'earlier' | 'equal' | 'later' {
  if (before === after) return 'equal';
  return before < after ? 'later' : 'earlier';
}

async function synchronise(client: Map<string, { copy: Copy; cursor: number }>): Promise<void> {
  for (const [type, state] of client) {
    const newer = await readList(type, { updatedAt: { gt: state.cursor } });
    for (const record of newer) {
      state.copy.set(record.id, record);
      state.cursor = Math.max(state.cursor, record.updatedAt);
    }
  }
}

async function readAll(types = Object.keys(all)): Promise<Map<string, Copy>> {
  const lists = new Map<string, Copy>();
  for (const type of types) lists.set(type, new Map((await readList(type, {})).map((record) => [record.id, record])));
  return lists;
}

async function readList(type: string, filters: object): Promise<SyncedRecord[]> {
  const variables = { ...filters, includeDeleted: true, pagination: { limit: PAGE } };
  const { data, errors } = await api.call(ctx, all[type]!.list, variables);
  expect(errors).toBeUndefined();
  const result = data![all[type]!.list] as SyncedRecord[] | { data: SyncedRecord[] };
  return Array.isArray(result) ? result : result.data;
}

/** Members that show other records or stock, and members derived from other records: they move no `updatedAt`. */
const OF_OTHERS: { [type: string]: RegExp } = {
  category: /^categoryPathItems$/,
  product: /^(brand|categories|tags|totalStock|stocks|availableCount|currency|currencyCode|currencySymbol)$/,
};
const USE = ['order', 'variantTypeId', 'variantValueIds'];

/** The record's own members, without `updatedAt` and `version`. */
function shown(type: string, { updatedAt: _updatedAt, version: _version, ...record }: SyncedRecord): unknown {
  return JSON.parse(
    JSON.stringify(record, (name, value: unknown) => {
      if (OF_OTHERS[type]?.test(name)) return undefined;
      if (name === 'categoryIds') return savedCategoryIds(value as string[]);
      if (name !== 'productVariantTypes' || !Array.isArray(value)) return value;
      return value.map((use: Record<string, unknown>) =>
        Object.fromEntries(USE.map((member) => [member, use[member]])),
      );
    }),
  );
}

/** Leaves out automated categories: joining one changes neither `updatedAt` nor `version` of a product. */
function savedCategoryIds(ids: readonly string[]): string[] {
  return ids.filter((id) => id === shop.category || id === shop.parentCategory);
}

function shownOf(type: string, records: Copy): unknown[] {
  const all = [...records.values()].map((record) => shown(type, record));
  return all.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
