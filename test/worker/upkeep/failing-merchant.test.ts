import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteFormerSecrets } from '../../../src/app/credentials/delete-former-secrets.ts';
import { limitHistories } from '../../../src/change/limit-histories.ts';
import type { Context } from '../../../src/context.ts';
import { copyReceipts } from '../../../src/customer/erasure/copy-receipts.ts';
import { eraseDeletedCustomers } from '../../../src/customer/erasure/erase-deleted-customers.ts';
import { removeExpiredKeys } from '../../../src/idempotency/remove-expired-keys.ts';
import type { ImageStorage } from '../../../src/image/storage.ts';
import { sweepImages } from '../../../src/image/sweep-images.ts';
import { updateAllSearchDocuments } from '../../../src/product/search/search-documents.ts';
import { expireHolds, limitHolds } from '../../../src/stock/hold/expire-holds.ts';
import { limitWaitingBytes } from '../../../src/webhook/ledger/limit-waiting-bytes.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { register } from '../../webhook/ledger.ts';

/** As many as a task reads at once, so that the other merchants' rows are behind those of the failing ones. */
const ROWS = 1_000;

type Task = {
  readonly table: string;
  readonly run: (database: TestDatabase) => Promise<unknown>;
  /** Makes rows that are due. */
  readonly prepare: (ctx: Context) => Promise<unknown>;
  /** The condition of rows of the table that are still due. */
  readonly isDue: SQL;
};

const emptyStorage = {
  list: async function* () {},
  read: async () => null,
  write: async () => {},
} as unknown as ImageStorage;
const rows = sql`generate_series(1, ${ROWS}::integer) n`;

const tasks: Readonly<Record<string, Task>> = {
  eraseDeletedCustomers: {
    table: 'customer',
    run: (database) => eraseDeletedCustomers(database, 1),
    prepare: ({ db, merchantId }) =>
      db.execute(sql`
        insert into customer (merchant_id, first_name, deleted, updated_at)
        values (${merchantId}, 'Ada', true, now() - interval '2 days')`),
    isDue: sql`erasure_id is null`,
  },
  copyReceipts: {
    table: 'erasure',
    run: (database) => copyReceipts(database, { write: async () => {} }),
    prepare: ({ db, merchantId }) =>
      db.execute(sql`
        insert into erasure (merchant_id, customer_ids, items, created_at)
        select ${merchantId}, '{}', '[]', now() from ${rows}`),
    isDue: sql`copied_at is null`,
  },
  limitWaitingBytes: {
    table: 'webhook_delivery',
    run: (database) => limitWaitingBytes(database, { maxWaitingBytes: 0 }),
    prepare: async (ctx) => {
      await register(ctx, ['store/customer/created'], { status: 'PAUSED' });
      await ctx.db.execute(sql`insert into customer (merchant_id, first_name) values (${ctx.merchantId}, 'Ada')`);
    },
    isDue: sql`state = 'PENDING'`,
  },
  limitHistories: {
    table: 'merchant',
    run: (database) => limitHistories(database, 1e12),
    prepare: ({ db, merchantId }) =>
      db.execute(sql`update merchant set is_history_full = true where merchant_id = ${merchantId}`),
    isDue: sql`is_history_full`,
  },
  limitHolds: {
    table: 'merchant',
    run: (database) => limitHolds(database),
    prepare: ({ db, merchantId }) =>
      db.execute(sql`update merchant set is_stock_held_full = true where merchant_id = ${merchantId}`),
    isDue: sql`is_stock_held_full`,
  },
  expireHolds: {
    table: 'stock_hold',
    run: (database) => expireHolds(database),
    prepare: ({ db, merchantId }) =>
      db.execute(sql`
        insert into stock_hold (merchant_id, product_stock_location_id, product_id, variant_id, stock_location_id,
          quantity, key, created_at, expires_at)
        select ${merchantId}, uuid_v7(), uuid_v7(), uuid_v7(), uuid_v7(), 1, n, now(), now() from ${rows}`),
    isDue: sql`status = 'ACTIVE'`,
  },
  removeExpiredKeys: {
    table: 'idempotency_key',
    run: (database) => removeExpiredKeys(database),
    prepare: ({ db, merchantId, session }) =>
      db.execute(sql`
        insert into idempotency_key (merchant_id, authorized_app_id, key, content_hash, created_at, expires_at)
        select ${merchantId}, ${session.authorizedAppId}, n, '', now(), now() from ${rows}`),
    isDue: sql`true`,
  },
  deleteFormerSecrets: {
    table: 'authorized_app',
    run: (database) => deleteFormerSecrets(database),
    prepare: ({ db, merchantId }) =>
      db.execute(sql`
        update authorized_app set former_secret_encrypted = '', former_secret_until = now()
        where merchant_id = ${merchantId}`),
    isDue: sql`former_secret_until is not null`,
  },
  updateAllSearchDocuments: {
    table: 'product_search_pending',
    run: (database) => updateAllSearchDocuments(database, new AbortController().signal),
    prepare: ({ db, merchantId }) =>
      db.execute(sql`insert into product_search_pending (merchant_id, product_id) values (${merchantId}, uuid_v7())`),
    isDue: sql`true`,
  },
  sweepImages: {
    table: 'image',
    run: (database) => sweepImages({ ...database, storage: emptyStorage }),
    prepare: ({ db, merchantId }) =>
      db.execute(sql`
        insert into image (merchant_id, content_hash, content_type, size_bytes, width, height)
        values (${merchantId}, '', 'image/png', 1, 1, 1)`),
    isDue: sql`unused_since is null`,
  },
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Refuses all writes of the table's rows of these merchants, until the returned function is called. */
async function refuseWrites(table: string, merchants: readonly Context[]): Promise<() => Promise<unknown>> {
  const ids = merchants.map(({ merchantId }) => `'${merchantId}'`).join(',');
  await database.owner.execute(sql`
    create or replace function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`);
  await database.owner.execute(
    sql.raw(`create or replace trigger refuse before update or delete on ${table} for each row
      when (old.merchant_id in (${ids})) execute function refuse()`),
  );
  return () => database.owner.execute(sql.raw(`drop trigger refuse on ${table}`));
}

it.for(Object.entries(tasks))('%s does the work of a merchant between two whose work fails', async ([, task], test) => {
  skipOnCluster(test, 'a cluster refuses a trigger that this test would add');
  const { table, run, prepare, isDue } = task;
  const [first, second, last] = [
    await createContext(database.db),
    await createContext(database.db),
    await createContext(database.db),
  ];
  for (const ctx of [first, last, second]) await prepare(ctx);
  const due = async ({ merchantId }: Context) =>
    (
      await database.owner.execute(
        sql`select from ${sql.identifier(table)} where merchant_id = ${merchantId} and ${isDue} limit 1`,
      )
    ).length;
  const allow = await refuseWrites(table, [first, last]);
  const failure = await run(database).catch((error: unknown) => error);
  expect([await due(first), await due(second), await due(last)]).toEqual([1, 0, 1]);
  expect(String(failure)).toContain(first.merchantId);
  expect(String(failure)).toContain(last.merchantId);
  await allow();
  await run(database);
  expect([await due(first), await due(last)]).toEqual([0, 0]);
});
