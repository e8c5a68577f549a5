import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeOldChanges } from '../../../src/change/remove-old-changes.ts';
import type { Context } from '../../../src/context.ts';
import type { AcrossContext } from '../../../src/db/connection/across-merchants.ts';
import { SERVICE_OWNER } from '../../../src/db/connection/pool.ts';
import { copyReceipts } from '../../../src/customer/erasure/copy-receipts.ts';
import { removeExpiredKeys } from '../../../src/idempotency/remove-expired-keys.ts';
import { expireHolds } from '../../../src/stock/hold/expire-holds.ts';
import { limitWaitingBytes } from '../../../src/webhook/ledger/limit-waiting-bytes.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { spyDatabase } from '../../support/spy-database.ts';
import { register } from '../../webhook/ledger.ts';

/** More than two batches of each task. */
const ROWS = 4_500;

type Task = {
  readonly run: (ctx: AcrossContext, signal: AbortSignal) => Promise<number>;
  /** Makes rows that are due. */
  readonly prepare: (ctx: Context) => Promise<unknown>;
  /** The member of the database that begins a batch of a merchant. */
  readonly begins: 'execute' | 'transaction';
  readonly batch: number;
};

const rows = sql`generate_series(1, ${sql.raw(String(ROWS))}) n`;

const tasks: Readonly<Record<string, Task>> = {
  removeExpiredKeys: {
    run: removeExpiredKeys,
    prepare: ({ db, merchantId, session }) =>
      db.execute(sql`
        insert into idempotency_key (merchant_id, authorized_app_id, key, content_hash, created_at, expires_at)
        select ${merchantId}, ${session.authorizedAppId}, n, '', now(), now() from ${rows}`),
    begins: 'execute',
    batch: 1_000,
  },
  expireHolds: {
    run: expireHolds,
    prepare: ({ db, merchantId }) =>
      db.execute(sql`
        insert into stock_hold (merchant_id, product_stock_location_id, product_id, variant_id, stock_location_id,
          quantity, key, created_at, expires_at)
        select ${merchantId}, uuid_v7(), uuid_v7(), uuid_v7(), uuid_v7(), 1, n, now(), now() from ${rows}`),
    begins: 'execute',
    batch: 1_000,
  },
  removeOldChanges: {
    run: (ctx, signal) => removeOldChanges(ctx, 30, signal),
    prepare: async ({ db, merchantId }) => {
      await db.execute(sql`insert into product_tag (merchant_id, name) select ${merchantId}, 'tag ' || n from ${rows}`);
      // As changes that were made years ago.
      await db.execute(
        sql`update change set id = ('00' || substr(id::text, 3))::uuid where merchant_id = ${merchantId}`,
      );
    },
    begins: 'transaction',
    batch: 2_000,
  },
  copyReceipts: {
    run: (ctx, signal) => copyReceipts(ctx, { write: async () => {} }, signal),
    prepare: ({ db, merchantId }) =>
      db.execute(sql`
        insert into erasure (merchant_id, customer_ids, items, created_at)
        select ${merchantId}, '{}', '[]', now() from ${rows}`),
    begins: 'execute',
    batch: 20,
  },
  limitWaitingBytes: {
    run: (ctx, signal) => limitWaitingBytes(ctx, { maxWaitingBytes: 0 }, signal),
    prepare: async (ctx) => {
      await register(ctx, ['store/customer/created'], { status: 'PAUSED' });
      await ctx.db.execute(
        sql`insert into customer (merchant_id, first_name) select ${ctx.merchantId}, 'Ada' from ${rows}`,
      );
    },
    begins: 'transaction',
    batch: 1_000,
  },
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it.for(Object.entries(tasks))('%s ends after the batch in which the worker is stopped', async ([, task]) => {
  await task.prepare(await createContext(database.db));
  const stopping = new AbortController();
  const spy = spyDatabase(task.begins, async ({ owner, run }) => {
    if (owner !== SERVICE_OWNER) stopping.abort();
    return await run();
  });
  expect(await task.run(database, stopping.signal).finally(() => spy.mockRestore())).toBe(task.batch);
});
