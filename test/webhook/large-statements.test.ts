import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { skipOnCluster } from '../support/cluster.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase, withoutTriggers } from '../support/database.ts';
import { actionsOf, register } from './ledger.ts';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

/** PostgreSQL makes no jsonb above 256 MiB. Deleted variants are not in the event, which stays small. */
it('sends the event of a product if a statement changes more of its variants than fit into one JSON', async (test) => {
  skipOnCluster(test, 'the triggers of other nodes cannot be turned off');
  await register(ctx, ['store/product/updated']);
  const id = newId();
  await withoutTriggers(database.owner, async (owner) => {
    await owner.execute(sql`set local statement_timeout = '2min'`);
    await owner.execute(
      sql`insert into product (merchant_id, id, name, type) values (${ctx.merchantId}, ${id}, 'Tee', 'PHYSICAL')`,
    );
    await owner.execute(sql`
      insert into variant (merchant_id, product_id, position, deleted, unit)
      select ${ctx.merchantId}, ${id}, n, true, json_build_object('type', repeat('x', 1048576))
      from generate_series(1, 130) n`);
  });
  await database.owner.transaction(async (transaction) => {
    await transaction.execute(sql`set local statement_timeout = '2min'`);
    await transaction.execute(
      sql`update variant set hs_code = 'x' where merchant_id = ${ctx.merchantId} and product_id = ${id}`,
    );
  });
  expect(await actionsOf(ctx)).toEqual(['updated 1']);
}, 120_000);

describe('the events of one statement are written in batches, since an array of PostgreSQL has at most 1 GiB:', () => {
  const long = sql`repeat(repeat('x', 1000), 1000)`;
  const rows = sql`generate_series(1, 40)`;

  it('those of customers', async (test) => {
    skipOnCluster(test, 'counted by a trigger of the coordinator');
    await register(ctx, ['store/customer/updated']);
    await withoutTriggers(database.owner, async (owner) => {
      await owner.execute(
        sql`insert into customer (merchant_id, first_name, note) select ${ctx.merchantId}, 'Ada', ${long} from ${rows}`,
      );
    });
    const batches = await batchesOf(sql`update customer set first_name = 'Eve' where merchant_id = ${ctx.merchantId}`);
    expect(batches).toEqual([17, 17, 6]);
    expect(await actionsOf(ctx)).toEqual(Array.from({ length: 40 }, () => 'updated 1'));
  });

  it('those of small customers', async (test) => {
    skipOnCluster(test, 'counted by a trigger of the coordinator');
    await register(ctx, ['store/customer/created', 'store/customer/updated']);
    const create = sql`
      insert into customer (merchant_id, first_name) select ${ctx.merchantId}, 'Ada' from generate_series(1, 1500)`;
    expect(await batchesOf(create)).toEqual([1000, 500]);
    const update = sql`update customer set first_name = 'Eve' where merchant_id = ${ctx.merchantId}`;
    expect(await batchesOf(update)).toEqual([1000, 500]);
  });

  it('those of deleted products', async (test) => {
    skipOnCluster(test, 'counted by a trigger of the coordinator');
    await register(ctx, ['store/product/deleted']);
    await withoutTriggers(database.owner, async (owner) => {
      await owner.execute(sql`
        insert into product (merchant_id, name, type, description)
        select ${ctx.merchantId}, 'Tee', 'PHYSICAL', ${long} from ${rows}`);
    });
    const batches = await batchesOf(sql`delete from product where merchant_id = ${ctx.merchantId}`);
    expect(batches).toEqual([17, 17, 6]);
    expect(await actionsOf(ctx)).toEqual(Array.from({ length: 40 }, () => 'deleted 1'));
  });
});

it('records only the sales channels that a product left, not those in which it stays', async () => {
  await register(ctx, ['store/product/updated']);
  const [kept, left] = [newId(), newId()];
  const own = sql`merchant_id = ${ctx.merchantId}`;
  await ctx.db.execute(sql`
    insert into product (merchant_id, name, type, sales_channel_ids)
    values (${ctx.merchantId}, 'Tee', 'PHYSICAL', array[${kept}, ${left}]::uuid[])`);
  const recorded = await database.owner.transaction(async (transaction) => {
    await transaction.execute(sql`update product set name = 'T-shirt' where ${own}`);
    await transaction.execute(sql`update product set sales_channel_ids = array[${kept}]::uuid[] where ${own}`);
    return await transaction.execute(sql`select to_json(channels_left) as "left" from webhook_change where ${own}`);
  });
  expect(recorded).toEqual([{ left: [left] }]);
});

/** How many deliveries each statement of a trigger inserts while `statement` is executed. */
async function batchesOf(statement: SQL): Promise<number[]> {
  return await database.owner.transaction(async (transaction) => {
    for (const definition of [
      'create temporary table batch (place serial, count int)',
      `create or replace function pg_temp.count_batch() returns trigger language plpgsql as $$ begin
        insert into pg_temp.batch (count) select count(*) from inserted;
        return null;
      end $$`,
      `create trigger count_batch after insert on webhook_delivery referencing new table as inserted
        for each statement execute function pg_temp.count_batch()`,
      sql`set local statement_timeout = '2min'`,
      statement,
    ])
      await transaction.execute(definition);
    const batches = await transaction.execute<{ count: number }>('select count from batch order by place');
    await transaction.execute('drop trigger count_batch on webhook_delivery');
    await transaction.execute('drop table batch');
    return batches.map(({ count }) => count);
  });
}
