import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase, withoutTriggers } from '../support/database.ts';

/** In an update each row has the former and the new text: 40 MB. */
const ROWS = 100;
const TEXT_BYTES = 200_000;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

const own = () => sql`merchant_id = ${ctx.merchantId}`;

describe('the changes of one statement are recorded in batches, since an array of PostgreSQL has at most 1 GiB:', () => {
  it.each([
    ['created', 'INSERTED', 'before is null and length(after::text)', 2, undefined],
    ['updated', 'UPDATED', 'length(before::text)', 3, sql`update product_brand set description = description || 'y'`],
    ['deleted', 'REMOVED', 'after is null and length(before::text)', 2, sql`delete from product_brand`],
  ])('%s records', async (_, rowChange, values, batches, statement) => {
    const insert = sql`
      insert into product_brand (merchant_id, name, description)
      select ${ctx.merchantId}, 'brand ' || n, repeat('x', ${TEXT_BYTES}) from generate_series(1, ${ROWS}) n`;
    if (!statement) await database.owner.execute(insert);
    else {
      await withoutTriggers(database.owner, async (owner) => await owner.execute(insert));
      await database.owner.execute(sql`${statement} where ${own()}`);
    }
    const parts = await database.owner.execute(sql`
      select row_change as "rowChange", count(distinct statement)::int as batches, count(*)::int as count
      from change_part where ${own()} and record_type = 'PRODUCT_BRAND' and ${sql.raw(values)} > ${TEXT_BYTES}
      group by row_change`);
    expect(parts).toEqual([{ rowChange, batches, count: ROWS }]);
  });
});
