import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { importText, sheetOf } from '../csv/sheets.ts';

/** After so many new products an import analyzes the tables. */
const ANALYZED = 1_000;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  await database.owner.execute(sql`
    create function time_out() returns trigger language plpgsql as $$ begin
      raise exception 'canceling statement due to statement timeout' using errcode = 'query_canceled';
    end $$`);
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createContext(database.db);
});

const product = (name: string) => ({ Handle: name.toLowerCase(), Title: name, 'Variant Price': '1' });

it('skips the product that another session has locked, and imports the others', async () => {
  await database.owner.execute(sql`
    create trigger locked before insert on product for each row when (new.name = 'Mug') execute function time_out()`);
  const { created, skipped } = await importText(ctx, sheetOf(...['Bowl', 'Cup', 'Mug', 'Plate'].map(product)));
  const reason = 'canceling statement due to statement timeout';
  expect({ created, skipped }).toEqual({
    created: 3,
    skipped: [{ line: 4, row: 4, handle: 'mug', reason, mistakes: [{ line: 4, row: 4, reason }] }],
  });
});

it('names the known mistakes of products if the search for others takes too long', async () => {
  await database.owner.execute(sql`
    create trigger slow before insert on stock_location for each row when (new.name = 'Berlin') execute function time_out()`);
  const wrong = { ...product('Bowl'), 'Variant Grams': 'x', 'Commerce / Stock Locations': 'Berlin=7' };
  const { skipped } = await importText(ctx, sheetOf(wrong));
  expect(skipped).toMatchObject([{ handle: 'bowl', reason: expect.stringMatching(/^Variant Grams must be a number/) }]);
});

it('goes on if the tables cannot be analyzed', async () => {
  await database.owner.execute(sql`drop function analyze_products()`);
  const products = Array.from({ length: ANALYZED }, (_, n) => product(`Mug-${n}`));
  expect(await importText(ctx, sheetOf(...products))).toMatchObject({ created: ANALYZED, skipped: [] });
});
