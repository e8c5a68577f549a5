import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { saveProductBrand } from '../../src/brand/saveProductBrand.ts';
import type { Context } from '../../src/context.ts';
import { changeOrigin } from '../../src/db/write/change-origin.ts';
import { keepHistory } from '../../src/merchant/keep-history.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { ON_NODES, sendStatistics } from '../support/rows-read.ts';

/** Enough that an index is cheaper, and few enough that a table read as a whole is not found by its time. */
const PARTS = 20_000;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createContext(database.db);
});

async function saveBrand(input: { id?: string; name: string }): Promise<string> {
  const origin = changeOrigin({ merchantId: ctx.merchantId, operation: 'saveProductBrand' });
  const saved = await saveProductBrand({ ...ctx, origin }, { input }, { id: {} });
  return saved.id;
}

type Scans = { tables: number; keys: number; rows: number };

/** How often `change_part` was read as a whole and by its key, and how many rows of transactions are left. */
async function scans(): Promise<Scans> {
  const [row] = await database.owner.execute<Scans>(sql`
    select seq_scan::int as tables, (
        select idx_scan::int from pg_stat_user_indexes where indexrelname = 'change_part_pk') as keys,
      (select count(*)::int from change_transaction) as rows
    from pg_stat_user_tables where relname = 'change_part'`);
  return row!;
}

async function work(run: () => Promise<unknown>): Promise<Scans> {
  await run();
  await sendStatistics(database);
  return await scans();
}

describe('recording a change', () => {
  it('reads the parts of its transaction by their key, also after a transaction of very many records', async ({
    skip,
  }) => {
    skip(database.placement.needsRelay, ON_NODES);
    await saveBrand({ name: 'First' });
    await database.owner.execute(sql`
      insert into change_part (merchant_id, change_transaction_id, record_id, record_type, statement, part, row_change)
      select ${ctx.merchantId}, md5((n % 2)::text)::uuid, uuid_v7(), 'PRODUCT', 1, '', 'UPDATED'
      from generate_series(1, ${PARTS}) n`);
    await database.owner.execute(sql`analyze change_part`);
    const before = await work(async () => await saveBrand({ name: 'Second' }));
    const after = await work(async () => {
      for (let n = 0; n < 10; n++) await saveBrand({ name: `Brand ${n}` });
    });
    expect(after.tables).toBe(before.tables);
    expect(after.keys).toBeGreaterThanOrEqual(before.keys + 10);
    expect(after.rows).toBe(0);
  });

  it('does not happen without a history: no part is read or written, and nothing of the transaction is left', async ({
    skip,
  }) => {
    skip(database.placement.needsRelay, ON_NODES);
    await keepHistory(ctx, false);
    const id = await saveBrand({ name: 'Unrecorded' });
    const before = await work(async () => await saveBrand({ id, name: 'Unrecorded 1' }));
    const after = await work(async () => await saveBrand({ id, name: 'Unrecorded 2' }));
    expect(after).toEqual({ ...before, rows: 0 });
    const [changes] = await database.owner.execute<{ count: number }>(sql`
      select count(*)::int as count from change where merchant_id = ${ctx.merchantId} and record_id = ${id}`);
    expect(changes!.count).toBe(0);
  });

  it.each(['', 'reset all', `set local commerce.change_statement = 'none'`])(
    'merges the statements of a transaction that executes “%s” between them',
    async (between) => {
      const id = await saveBrand({ name: 'A' });
      const rename = (name: string) =>
        sql`update product_brand set name = ${name} where merchant_id = ${ctx.merchantId} and id = ${id}`;
      await database.owner.transaction(async (transaction) => {
        await transaction.execute(rename('B'));
        if (between !== '') await transaction.execute(sql.raw(between));
        await transaction.execute(rename('C'));
        await transaction.execute(rename('D'));
      });
      const parts = await database.owner.execute(sql`
        select p.before ->> 'name' as before, p.after ->> 'name' as after from change_part p
        where p.merchant_id = ${ctx.merchantId} and p.record_id = ${id} and p.part = '' and p.row_change = 'UPDATED'`);
      expect(parts).toEqual([{ before: 'A', after: 'D' }]);
    },
  );
});
