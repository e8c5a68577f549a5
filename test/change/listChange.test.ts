import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveProductBrand } from '../../src/brand/saveProductBrand.ts';
import { listChange } from '../../src/change/listChange.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import type { QueryListChangeArgs } from '../../src/graphql/generated/types.ts';
import { adjustStock } from '../../src/stock/adjustStock.ts';
import { saveProductStockLocations } from '../../src/stock/saveProductStockLocations.ts';
import { skipOnCluster } from '../support/cluster.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase, withoutTriggers } from '../support/database.ts';
import { explaining } from '../support/plan.ts';
import { places } from '../stock/places.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

describe('the time of a change', () => {
  it('finds it if it is given exactly, and not if it is a millisecond away', async () => {
    const ctx = await createContext(database.db);
    const [counted, adjusted] = await places(ctx, 2);
    await saveProductStockLocations(ctx, { input: { productStockLocationInputs: [{ ...counted!, stockCount: 1 }] } });
    const entries = ['a', 'b', 'c'].map((key) => ({ ...adjusted!, delta: 1, key }));
    await adjustStock(ctx, { input: entries }, {});
    for (const name of ['One', 'Two']) await saveProductBrand(ctx, { input: { name } }, {});
    const selection = { data: { id: {}, createdAt: {}, recordType: {}, members: { path: {} } } };
    const list = async (args: QueryListChangeArgs) => (await listChange(ctx, args, selection as never)).data;
    const changes = await list({});
    const typesOf = new Set(changes.map(({ recordType }) => recordType));
    expect([...typesOf]).toEqual(expect.arrayContaining(['PRODUCT', 'PRODUCT_BRAND', 'PRODUCT_STOCK_LOCATION']));
    for (const { id, createdAt: at } of changes) {
      const isFound = async (createdAt: object): Promise<boolean> =>
        (await list({ createdAt })).some((one) => one.id === id);
      for (const range of [{ eq: at }, { gte: at }, { lte: at }, { gt: at - 1, lt: at + 1 }])
        expect(await isFound(range), JSON.stringify(range)).toBe(true);
      for (const range of [{ eq: at + 1 }, { eq: at - 1 }, { gt: at }, { lt: at }, { gte: at + 1 }, { lte: at - 1 }])
        expect(await isFound(range), JSON.stringify(range)).toBe(false);
    }
  });
});

const SHARD_NAMES = 'tables and indexes have the names of shards there, and statistics of few rows';

describe('the plan of a list of changes', () => {
  const ROWS = 20_000;
  const FIRST = Date.UTC(2026, 0, 1);
  const LAST = FIRST + ROWS * 1_000;
  let ctx: Context;
  beforeAll(async () => {
    ctx = await createContext(database.db);
    const rows = sql`
      select ${ctx.merchantId}::uuid as merchant_id, uuid_v7_at(at) as id, uuid_v7() as other_id, at
      from (select ${new Date(FIRST).toISOString()}::timestamptz + n * interval '1 second' as at from generate_series(1, ${ROWS}::int) as n) as times`;
    await withoutTriggers(database.owner, async (owner) => {
      await owner.execute(sql`
        insert into change
          (merchant_id, id, record_type, record_id, number, kind, change_transaction_id, change_set_id, created_at)
        select merchant_id, id, 'PRODUCT', other_id, 1, 'CREATED', id, id, at from (${rows}) as rows`);
      await owner.execute(sql`
        insert into stock_movement (merchant_id, id, product_stock_location_id, sequence, change_number, kind, delta,
          count_after, product_id, variant_id, stock_location_id, change_transaction_id, change_set_id, created_at)
        select merchant_id, id, other_id, 1, 1, 'SOLD', 1, 1, other_id, other_id, other_id, id, id, at from (${rows}) as rows`);
    });
    await database.owner.execute(sql`analyze change, stock_movement`);
  });

  it.each<[string, QueryListChangeArgs, RegExp]>([
    ['of a time', { createdAt: { gte: FIRST, lt: FIRST + 60_000 } }, /Index Cond: [^\n]*\bid >= [^\n]*\bid < /g],
    ['since a time', { createdAt: { gt: LAST - 60_000 } }, /Index Cond: [^\n]*\bid >= /g],
    ['until a time', { createdAt: { lte: FIRST + 60_000 } }, /Index Cond: [^\n]*\bid < /g],
  ])('reads those %s, and those only, from the indexes of ids: changes and movements', async (_, args, index) => {
    const plans: string[] = [];
    const data = { id: {}, members: { path: {} } };
    await listChange({ ...ctx, db: explaining(database.db, plans) }, args, { data, hasNext: {} } as never);
    expect(plans).toHaveLength(1);
    expect(plans[0]!.match(index)).toHaveLength(2);
    expect(plans[0]).not.toMatch(/Seq Scan on (change|stock_movement)/);
  });

  it('reads no more of the newest changes of products than it shows', async (test) => {
    skipOnCluster(test, SHARD_NAMES);
    const plans: string[] = [];
    const args = { recordType: 'PRODUCT' } as const;
    await listChange({ ...ctx, db: explaining(database.db, plans) }, args, { data: { id: {} } } as never);
    expect(plans[0]).toContain('Index Scan Backward using change_merchant_id_id_pk');
    expect(plans[0]).not.toMatch(/Sort {2}|Seq Scan/);
  });

  it.for<[string, QueryListChangeArgs, string]>([
    ['a kind of record other than products', { recordType: 'CATEGORY' }, 'change_record_type'],
    ['customers', { recordType: 'CUSTOMER' }, 'change_record_type'],
    ['deletions', { kind: 'DELETED' }, 'change_deleted'],
    ['restored products', { recordType: 'PRODUCT', kind: 'RESTORED' }, 'change_deleted'],
  ])('finds the changes of %s among many of products', async ([, args, index], test) => {
    skipOnCluster(test, SHARD_NAMES);
    const plans: string[] = [];
    await listChange({ ...ctx, db: explaining(database.db, plans) }, args, { data: { id: {} } } as never);
    expect(plans[0]).toMatch(new RegExp(`Index (Only )?Scan Backward using ${index} on change`));
    expect(plans[0]).not.toContain('stock_movement');
  });

  it('reads the changes of a set backwards from its last one', async (test) => {
    skipOnCluster(test, SHARD_NAMES);
    const plans: string[] = [];
    const changeSetId = { eq: newId() };
    await listChange({ ...ctx, db: explaining(database.db, plans) }, { changeSetId }, { data: { id: {} } } as never);
    expect(plans[0]).toMatch(/Index (Only )?Scan Backward using change_change_set on change/);
  });
});
