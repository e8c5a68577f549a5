import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
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
it('sends the event of a product if a statement changes more of its variants than fit into one JSON', async () => {
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
