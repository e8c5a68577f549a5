import { sql } from 'drizzle-orm';
import type { Context } from '../../../src/context.ts';
import type { Send } from '../play.ts';
import { HistoryClient } from './clients.ts';
import type { Event, History } from './history.ts';
import { membersOf, texts } from './records.ts';
import type { Access, Shop } from './shop.ts';

const CLIENTS = 6;
const SCOPES = [
  ...['created', 'updated', 'deleted'].map((action) => `store/product/${action}`),
  ...['created', 'updated'].map((action) => `store/customer/${action}`),
  ...['created', 'updated'].map((action) => `store/stock/${action}`),
];

/** Clients that change the shop at once for some seconds, or until the test run is cancelled. */
export async function playClients(
  place: { shop: Shop; access: Access },
  { seconds, seed, signal }: { seconds: number; seed: number; signal: AbortSignal },
): Promise<History> {
  const history: History = { writes: [], reads: [], walks: [], unexpected: [] };
  const endsAt = performance.now() + seconds * 1_000;
  const clients = Array.from(
    { length: CLIENTS },
    (_, index) => new HistoryClient(`c${index}`, place, history, randomOf(seed * CLIENTS + index)),
  );
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < endsAt && !signal.aborted) await client.act();
    }),
  );
  console.log(`${history.writes.length} writes, ${history.reads.length} reads, ${history.walks.length} walks`);
  return history;
}

export async function listen({ db, merchantId, session }: Context, endpoint: string): Promise<void> {
  for (const scope of SCOPES)
    await db.execute(sql`
      insert into webhook (merchant_id, authorized_app_id, scope, endpoint)
      values (${merchantId}, ${session.authorizedAppId}, ${scope}, ${endpoint})`);
}

/** What webhooks are told of records, and the movements of counts that only have movements with keys. */
export async function eventsOf({ db, merchantId }: Context, { movedLocationId }: Shop): Promise<Event[]> {
  const rows = await db.execute<{ record: string; sequence: string; data: string }>(sql`
    select record_id as record, sequence, data from webhook_delivery where merchant_id = ${merchantId} and record_id not in (
      select id from product_stock_location
      where merchant_id = ${merchantId} and stock_location_id = ${movedLocationId})`);
  const moved = await db.execute<{ record: string; sequence: number; key: string | null }>(sql`
    select product_stock_location_id as record, sequence, key from stock_movement
    where merchant_id = ${merchantId} and stock_location_id = ${movedLocationId}`);
  const movements = moved.map(({ key, ...event }) => ({ ...event, state: texts({ key }) }));
  const told = rows.map(({ record, sequence, data }) => {
    const shown = JSON.parse(data) as { version?: number };
    const { version } = shown;
    return {
      record,
      sequence: Number(sequence),
      state: membersOf(shown),
      ...(version !== undefined && { version }),
    };
  });
  return [...told, ...movements];
}

/** As docs/running.md tells to: with the version and the time. */
export function changeVendor({ db, merchantId }: Context) {
  return async (id: string, vendorId: string) =>
    await db
      .execute(
        sql`
        update product set vendor_id = ${vendorId}, version = version + 1, updated_at = now()
        where merchant_id = ${merchantId} and id = ${id}`,
      )
      .then(
        () => true,
        () => false,
      );
}

/** Three products of one transaction, so that they have one `createdAt`, and what they need. */
export async function createShop(send: Send): Promise<Shop> {
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
  const movedLocationId = await save('saveStockLocation', { name: 'Moved' });
  return {
    products: page.data.map(({ id, variants }) => ({ id, variantIds: variants.map((variant) => variant.id) })),
    customerIds: [
      await save('saveCustomer', { firstName: 'First' }),
      await save('saveCustomer', { firstName: 'Second' }),
    ],
    priceListId: await save('savePriceList', { name: 'List', currency: 'EUR' }),
    channelId: await save('saveSalesChannel', { name: 'Channel', type: 'STOREFRONT' }),
    locationId: await save('saveStockLocation', { name: 'Location' }),
    movedLocationId,
  };
}

/** Random numbers from 0 to 1: mulberry32. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
