import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import type {
  QueryListProductStockLocationArgs,
  QueryListStockHoldArgs,
  QueryListStockMovementArgs,
} from '../../src/graphql/generated/types.ts';
import { listProductStockLocation } from '../../src/stock/listProductStockLocation.ts';
import { listStockHold } from '../../src/stock/listStockHold.ts';
import { listStockMovement } from '../../src/stock/listStockMovement.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase, withoutTriggers } from '../support/database.ts';
import { explaining } from '../support/plan.ts';

const ROWS = 20_000;
const FIRST = Date.UTC(2026, 0, 1);
const LAST = FIRST + ROWS * 1_000;
/** Of the first rows, which were written long ago. */
const RARE = '0190a0c4-0000-7000-8000-000000000001';
const FREQUENT = '0190a0c4-0000-7000-8000-000000000002';

const page = { data: { id: {} }, hasNext: {} } as never;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
  const rows = sql`
    select ${ctx.merchantId}::uuid as merchant_id, uuid_v7_at(at) as id, uuid_v7() as other_id, at, n,
      (case when n <= 10 then ${RARE} else ${FREQUENT} end)::uuid as place
    from (select n, ${new Date(FIRST).toISOString()}::timestamptz + n * interval '1 second' as at from generate_series(1, ${ROWS}::int) as n) as times`;
  await withoutTriggers(database.owner, async (owner) => {
    await owner.execute(sql`
      insert into product_stock_location (merchant_id, id, product_id, variant_id, stock_location_id, stock_count, created_at, updated_at)
      select merchant_id, id, other_id, other_id, place, 1, at, ${new Date(LAST).toISOString()}::timestamptz - n * interval '1 second'
      from (${rows}) as rows`);
    await owner.execute(sql`
      insert into stock_movement (merchant_id, id, product_stock_location_id, sequence, kind, delta, count_after,
        product_id, variant_id, stock_location_id, change_transaction_id, change_set_id, created_at)
      select merchant_id, id, other_id, 1, 'SOLD', 1, 1, place, other_id, place, id, id, at from (${rows}) as rows`);
    await owner.execute(sql`
      insert into stock_hold (merchant_id, id, product_stock_location_id, product_id, variant_id, stock_location_id, quantity,
        key, status, created_at, expires_at)
      select merchant_id, id, other_id, other_id, (case n % 100 when 1 then ${RARE} else ${FREQUENT} end)::uuid, place, 1,
        n::text, case when n <= 10 then 'ACTIVE' else 'EXPIRED' end, at, at
      from (${rows}) as rows`);
  });
  await database.owner.execute(sql`analyze product_stock_location, stock_movement, stock_hold`);
});
afterAll(() => database.drop());

async function planOf(list: (ctx: Context) => Promise<unknown>): Promise<string> {
  const plans: string[] = [];
  await list({ ...ctx, db: explaining(database.db, plans) });
  expect(plans).toHaveLength(1);
  return plans[0]!;
}

describe('the plan of a list of stock counts', () => {
  it.each<[string, QueryListProductStockLocationArgs]>([
    ['the last changed ones', { updatedAt: { gt: LAST - 60_000 } }],
    ['the last changed ones, in the order of their changes', { updatedAt: { gte: LAST - 60_000 }, sort: 'updatedAt' }],
    ['a page last changed first', { sort: '-updatedAt' }],
  ])('reads %s from the index of the changes', async (_, args) => {
    expect(await planOf((ctx) => listProductStockLocation(ctx, args, page))).toContain(
      'product_stock_location_updated',
    );
  });

  it('reads the newest ones from the index of their creation, if most were changed since', async () => {
    const args = { updatedAt: { gt: FIRST }, pagination: { limit: 20 } };
    expect(await planOf((ctx) => listProductStockLocation(ctx, args, page))).toContain(
      'product_stock_location_created',
    );
  });
});

describe('the plan of a list of movements', () => {
  it.each<[string, QueryListStockMovementArgs, RegExp]>([
    ['of a location', { stockLocationId: { eq: RARE } }, /using stock_movement_location/],
    ['of a rare kind', { kind: 'RETURNED' }, /Scan Backward using stock_movement_kind/],
    ['of a product', { productId: { eq: RARE } }, /using stock_movement_product/],
    ['of a time', { createdAt: { gte: FIRST, lt: FIRST + 60_000 } }, /Index Cond: [^\n]*\bid >= [^\n]*\bid < /],
    ['since a time', { createdAt: { gt: LAST - 60_000 } }, /Index Cond: [^\n]*\bid >= /],
    [
      'of a location until a time',
      { stockLocationId: { eq: FREQUENT }, createdAt: { lte: FIRST + 60_000 } },
      /stock_movement_location[^]*?Index Cond: [^\n]*\bid < /,
    ],
  ])('reads those %s from an index, in their order', async (_, args, index) => {
    const plan = await planOf((ctx) => listStockMovement(ctx, args, page));
    expect(plan).toMatch(index);
    expect(plan).not.toContain('Seq Scan on stock_movement');
  });
});

describe('the plan of a list of active holds', () => {
  it.each<[string, QueryListStockHoldArgs]>([
    ['of all', {}],
    ['of a variant', { variantId: { eq: FREQUENT } }],
  ])('reads none of those that have ended, %s', async (_, args) => {
    const plan = await planOf((ctx) => listStockHold(ctx, { ...args, status: 'ACTIVE' }, page));
    expect(plan).toMatch(/(using|on) stock_hold_(active|expiry)/);
  });
});
