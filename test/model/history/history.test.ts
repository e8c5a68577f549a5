import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import type { Send } from '../play.ts';
import { contradictions } from './check-history.ts';
import { HistoryClient } from './clients.ts';
import type { Event, History } from './history.ts';
import { membersOf } from './records.ts';
import type { Shop } from './shop.ts';

const SEED = Number(process.env['MODEL_SEED'] ?? 1);
const SECONDS = Number(process.env['MODEL_SECONDS'] ?? 15);
const CLIENTS = 6;
const SCOPES = [
  ...['created', 'updated', 'deleted'].map((action) => `store/product/${action}`),
  ...['created', 'updated'].map((action) => `store/customer/${action}`),
  ...['created', 'updated'].map((action) => `store/stock/${action}`),
];

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

it(
  `no write of ${CLIENTS} clients is lost, repeated or seen in part, in ${SECONDS} s (seed ${SEED})`,
  async () => {
    const [app, other] = [await createContext(database.db), await createContext(database.db)];
    await listen(app);
    const send: Send = async (operation, variables, headers) => await api.call(app, operation, variables, headers);
    const foreign: Send = async (operation, variables) => await api.call(other, operation, variables);
    const access = { send, foreign, sql: changeVendor(app) };
    const history: History = { writes: [], reads: [], walks: [], unexpected: [] };
    const shop = await createShop(send);
    const endsAt = performance.now() + SECONDS * 1_000;
    const clients = Array.from(
      { length: CLIENTS },
      (_, index) => new HistoryClient(`c${index}`, { shop, access }, history, randomOf(SEED * CLIENTS + index)),
    );
    await Promise.all(
      clients.map(async (client) => {
        while (performance.now() < endsAt) await client.act();
      }),
    );
    console.log(`${history.writes.length} writes, ${history.reads.length} reads, ${history.walks.length} walks`);
    expect(contradictions(history, await eventsOf(app)).slice(0, 5)).toEqual([]);
    expect(history.writes.filter(({ outcome }) => outcome === 'done').length).toBeGreaterThan(CLIENTS);
  },
  SECONDS * 1_000 + 120_000,
);

/** Nothing sends the events: the test reads what was recorded. */
async function listen({ merchantId, session }: Context): Promise<void> {
  for (const scope of SCOPES)
    await database.db.execute(sql`
      insert into webhook (merchant_id, authorized_app_id, scope, endpoint)
      values (${merchantId}, ${session.authorizedAppId}, ${scope}, 'https://receiver.example')`);
}

async function eventsOf({ merchantId }: Context): Promise<Event[]> {
  const rows = await database.db.execute<{ record: string; sequence: string; data: string }>(sql`
    select record_id as record, sequence, data from webhook_delivery where merchant_id = ${merchantId}`);
  return rows.map(({ record, sequence, data }) => {
    const shown = JSON.parse(data) as { version?: number };
    const { version } = shown;
    return {
      record,
      sequence: Number(sequence),
      state: membersOf(shown),
      ...(version !== undefined && { version }),
    };
  });
}

/** As docs/running.md tells to: with the version and the time. */
function changeVendor({ db, merchantId }: Context) {
  return async (id: string, vendorId: string) =>
    await db.execute(sql`
      update product set vendor_id = ${vendorId}, version = version + 1, updated_at = now()
      where merchant_id = ${merchantId} and id = ${id}`);
}

/** Three products of one transaction, so that they have one `createdAt`, and what they need. */
async function createShop(send: Send): Promise<Shop> {
  const call = async <T>(operation: string, variables: object): Promise<T> => {
    const { data, errors } = await send(operation, variables);
    if (errors) throw new Error(`${operation}: ${JSON.stringify(errors)}`);
    return data![operation] as T;
  };
  const save = async (operation: string, input: object) => (await call<{ id: string }>(operation, { input })).id;
  const prices = [{ sellPrice: 1 }];
  const product = { type: 'PHYSICAL', categories: [], productVariantTypes: [] };
  const variants = [
    { sku: 'a', prices },
    { sku: 'b', prices },
  ];
  const names = ['First', 'Second', 'Third'];
  await call('bulkUpdateProducts', { input: names.map((name) => ({ ...product, name, variants })) });
  const page = await call<{ data: { id: string; variants: { id: string }[] }[] }>('listProduct', {});
  return {
    products: page.data.map(({ id, variants }) => ({ id, variantIds: variants.map((variant) => variant.id) })),
    customerIds: [
      await save('saveCustomer', { firstName: 'First' }),
      await save('saveCustomer', { firstName: 'Second' }),
    ],
    priceListId: await save('savePriceList', { name: 'List', currency: 'EUR' }),
    channelId: await save('saveSalesChannel', { name: 'Channel', type: 'STOREFRONT' }),
    locationId: await save('saveStockLocation', { name: 'Location' }),
  };
}

/** Random numbers from 0 to 1: mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
