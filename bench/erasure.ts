import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { eraseDeletedCustomers } from '../src/customer/erasure/erase-deleted-customers.ts';
import { AcrossMerchants } from '../src/db/connection/across-merchants.ts';
import { connect } from '../src/db/connection/connect.ts';
import type { Database } from '../src/db/connection/database.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { migrate } from '../src/db/schema/migrate.ts';
import { createMerchant } from '../src/merchant/create-merchant.ts';
import { percentilesOf } from './percentiles.ts';

/**
 * `node bench/erasure.ts [CUSTOMERS] [ERASED]` erases customers that were deleted long ago, as the worker does with
 * CUSTOMER_KEEP_DELETED_DAYS. It prints as JSON how long each transaction of 100 customers took, and how long the writes
 * of the same merchant took meanwhile. Each erased customer has three changes.
 */
const [customers, erased] = [Number(process.argv[2] ?? 1_000_000), Number(process.argv[3] ?? 20_000)];
const KEEP_DAYS = 30;
const WRITE_EVERY_MS = 20;

const folder = await mkdtemp(join(tmpdir(), 'commerce-bench-'));
await chmod(folder, 0o755);
const postgres = await startEmbeddedPostgres(folder);
await migrate(postgres.url, postgres.servingUrl);
const { db, close } = connect(postgres.url, { poolSize: 3, statementTimeoutMs: 600_000 });
try {
  const owner = { email: 'a@example.com', firstName: 'Ada', lastName: 'L', merchantName: 'Shop', currencyCode: 'EUR' };
  const { merchantId } = await createMerchant({ db }, { input: owner });
  await fill(db, merchantId);
  const writing = new AbortController();
  const waits = write(db, merchantId, writing.signal);
  const startedAtMs = performance.now();
  const count = await eraseDeletedCustomers({ db, across: new AcrossMerchants(db) }, KEEP_DAYS);
  const tookMs = performance.now() - startedAtMs;
  writing.abort();
  console.log(
    JSON.stringify({
      customers,
      erased: count,
      aSecond: Math.round((count * 1_000) / tookMs),
      sliceMs: figures(await sliceTimes(db, merchantId)),
      writerMs: figures(await waits),
    }),
  );
} finally {
  await close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Those that stay are inserted without triggers, since only their number matters. */
async function fill(db: Database, merchantId: string): Promise<void> {
  const insert = (count: number, state: string) => sql`
    insert into customer (merchant_id, first_name, last_name, email, note)
    select ${merchantId}, 'First ' || n, 'Last ' || n, ${state}::text || n || '@example.com', repeat('note ', 20)
    from generate_series(1, ${count}::int) n`;
  await db.execute(insert(erased, 'old'));
  const isOld = sql`merchant_id = ${merchantId} and email like 'old%'`;
  await db.execute(
    sql`update customer set phone = '+90 555 000', updated_at = updated_at + interval '1 ms' where ${isOld}`,
  );
  await db.execute(sql`update customer set deleted = true, updated_at = updated_at + interval '1 ms' where ${isOld}`);
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(insert(customers - erased, 'new'));
    await tx.execute(sql`update customer set updated_at = now() - interval '90 days' where ${isOld}`);
  });
  await db.execute(sql`vacuum analyze`);
}

/** Changes a customer again and again, and returns how long each change took. */
async function write(db: Database, merchantId: string, signal: AbortSignal): Promise<number[]> {
  const waits: number[] = [];
  const [own] = await db.execute<{ id: string }>(
    sql`select id from customer where merchant_id = ${merchantId} and not deleted limit 1`,
  );
  while (!signal.aborted) {
    const fromMs = performance.now();
    await db.execute(
      sql`update customer set note = ${String(waits.length)} where merchant_id = ${merchantId} and id = ${own!.id}`,
    );
    waits.push(performance.now() - fromMs);
    await wait(WRITE_EVERY_MS);
  }
  return waits;
}

/** Each slice has a receipt, which is made when the slice begins. */
async function sliceTimes(db: Database, merchantId: string): Promise<number[]> {
  const rows = await db.execute<{ ms: number }>(sql`
    select (extract(epoch from lead(created_at) over (order by created_at) - created_at) * 1000)::float as ms
    from erasure where merchant_id = ${merchantId} order by created_at`);
  return rows.map(({ ms }) => ms).filter((ms) => ms !== null);
}

function figures(times: readonly number[]) {
  const percentile = percentilesOf(times, 1);
  return { p50: percentile(0.5), p99: percentile(0.99), max: Number(Math.max(...times).toFixed(1)) };
}
