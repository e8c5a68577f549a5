import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { waitForLocks } from '../support/wait-for-locks.ts';
import { type Place, places } from './places.ts';

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
/** In the order of their products. The counts have ids in the opposite order. */
let first: Place;
let second: Place;

beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
});
beforeEach(async () => {
  ctx = await createContext(database.db);
  [first, second] = (await places(ctx, 2)) as [Place, Place];
  await call('adjustStock', { input: [adjustment(second, 1)] });
  await call('adjustStock', { input: [adjustment(first, 1)] });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function call(name: string, variables: object): Promise<any> {
  const { data, errors } = (await server.call(ctx, name, variables)) as { data: any; errors?: unknown };
  expect(errors).toBeUndefined();
  return data[name];
}

const adjustment = (place: Place, delta: number) => ({ ...place, delta, key: newId() });
const countOf = ({ variantId }: Place) => sql`
  select from product_stock_location where merchant_id = ${ctx.merchantId} and variant_id = ${variantId} for update`;

/** Whether another transaction can lock the second count while the operation waits for the first. */
async function isSecondFree(name: string, variables: object): Promise<boolean> {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const gate = database.db.transaction(async (transaction) => {
    await transaction.execute(countOf(first));
    close();
    await opened;
  });
  await closed;
  const answer = call(name, variables);
  await waitForLocks(database.db, 1);
  const [locked] = await Promise.allSettled([database.db.execute(sql`${countOf(second)} nowait`)]);
  open();
  await Promise.all([gate, answer]);
  return locked!.status === 'fulfilled';
}

it('a bulk update locks counts in the order of products, variants and locations', async () => {
  const input = [second, first].map(({ productId, variantId, stockLocationId }) => ({
    id: productId,
    name: 'Shirt',
    type: 'PHYSICAL',
    categories: [],
    productVariantTypes: [],
    variants: [{ id: variantId, prices: [{ sellPrice: 5 }], stocks: [{ stockLocationId, stockCount: 2 }] }],
  }));
  expect(await isSecondFree('bulkUpdateProducts', { input })).toBe(true);
});

it('counts that are set are locked in this order', async () => {
  const productStockLocationInputs = [second, first].map((place) => ({ ...place, stockCount: 2 }));
  expect(await isSecondFree('saveProductStockLocations', { input: { productStockLocationInputs } })).toBe(true);
});

it('adjustments lock counts in this order', async () => {
  expect(await isSecondFree('adjustStock', { input: [adjustment(second, 1), adjustment(first, 1)] })).toBe(true);
});

it('a revert locks counts in this order, not in that of their ids', async () => {
  const [movement] = await call('adjustStock', { input: [adjustment(second, 1), adjustment(first, 1)] });
  expect(await isSecondFree('revertChanges', { input: { changeSetId: movement.changeSet.id } })).toBe(true);
});
