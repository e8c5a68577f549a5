import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { changeOrigin } from '../../src/db/write/change-origin.ts';
import type { AdjustStockInput } from '../../src/graphql/generated/types.ts';
import { Batches } from '../../src/limits/batches.ts';
import { adjustStock } from '../../src/stock/adjustStock.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Place, places } from './places.ts';

const movement = { id: {}, delta: {}, countAfter: {}, sequence: {}, key: {}, changeSet: { requestId: {}, actor: {} } };

let database: TestDatabase;
let owner: Context;
let batches: Batches;
let stock: Place[];

beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  owner = await createContext(database.db);
  batches = new Batches();
  stock = await places(owner, 3);
  for (const place of stock) await adjust({ ...place, delta: 100 });
});
afterAll(() => database.drop());

type Entry = Omit<AdjustStockInput, 'key'> & { key?: string };

/** As a request of its own. */
async function adjust({ key = newId(), ...entry }: Entry, requestId = 'first') {
  const { merchantId, session } = owner;
  const { authorizedAppId } = session;
  const origin = changeOrigin({ merchantId, authorizedAppId, operation: 'adjustStock', requestId, actor: requestId });
  const [made] = await adjustStock({ ...owner, batches, origin }, { input: [{ ...entry, key }] }, movement);
  return made!;
}

it('a count that another transaction has locked delays only its own requests', async () => {
  const [locked, free] = stock as [Place, Place];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const lock = database.db.transaction(async (transaction) => {
    await transaction.execute(sql`
      select from product_stock_location
      where merchant_id = ${owner.merchantId} and variant_id = ${locked.variantId} for update`);
    close();
    await opened;
  });
  await closed;
  let isDelayed = true;
  const delayed = adjust({ ...locked, delta: 1 }).finally(() => (isDelayed = false));
  const others = await Promise.all(Array.from({ length: 5 }, async () => await adjust({ ...free, delta: 1 })));
  expect(others.map(({ sequence }) => sequence).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6]);
  expect(isDelayed).toBe(true);
  open();
  await lock;
  expect(await delayed).toMatchObject({ countAfter: 101 });
});
