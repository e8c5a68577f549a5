import { setTimeout as wait } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import { saveProductBrand } from '../src/brand/saveProductBrand.ts';
import { listChange } from '../src/change/listChange.ts';
import { removeOldChanges } from '../src/change/remove-old-changes.ts';
import type { Context } from '../src/context.ts';
import { connect } from '../src/db/connection/connect.ts';
import type { Database } from '../src/db/connection/database.ts';
import { connectAcross } from '../src/db/connection/connect-for-work.ts';
import { PLAIN } from '../src/db/connection/placement.ts';
import { changeOrigin } from '../src/db/write/change-origin.ts';
import { createContext } from '../test/support/context.ts';
import { explaining } from '../test/support/plan.ts';
import { ownPostgres } from '../test/worker/webhooks/ledger-place.ts';
import { percentilesOf, timesOf } from './percentiles.ts';
import { printProgress } from './print-progress.ts';
import { openPostgresUsage } from './usage.ts';

/** The average number of changes of a record, and of a change set. */
const OF_RECORD = 20;
const OF_SET = 10;
/** The history is kept for 12 of the 13 months that it is filled with. */
const MONTHS = 13;
const KEEP_DAYS = 365;
const FILLED_AT_ONCE = 50_000;
const READS = 300;
/** The longest wait of a writer for a lock that is acceptable, in milliseconds: it is the writer's `lock_timeout`. */
const MAX_WAIT_MS = 100;
const MAX_MEDIAN_MS = 10;
const STATEMENT_TIMEOUT_MS = 600_000;
/** The app of a tenth of the changes: md5 of `app`. */
const OTHER_APP = 'd2a57dc1-d883-fd21-fb99-51699df71cc7';

type Bench = {
  changes: number;
  own: Context;
  owner: Connection;
  serving: Connection;
  writing: Connection;
  across: ReturnType<typeof connectAcross>['across'];
  postgresMs: () => Promise<number | null>;
};
type Connection = ReturnType<typeof connect>;

/**
 * Fills the history of a merchant with changes of 13 months, in an order of records, apps and change sets that is random
 * and the same in each run, and measures
 * - how long `listChange` takes with members and change sets, by record and by app, with the CPU time of PostgreSQL and
 *   what the plans read;
 * - how long the removal of the oldest month takes, in the slices of the worker;
 * - how long the writes of the same merchant take during the removal, and as a comparison for the same time after it;
 *   and how many of them wait for a lock for more than 100 ms.
 *
 * Prints JSON lines. Exits with code 1 if a median of `listChange` is over 10 ms, or if a write waited for a lock for more
 * than 100 ms.
 */
export async function list(changes: number): Promise<void> {
  const place = await ownPostgres();
  const requests = { statementTimeoutMs: STATEMENT_TIMEOUT_MS, ...PLAIN.requests };
  const owner = connect(place.url, { poolSize: 2, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  const serving = connect(place.servingUrl, { poolSize: 4, ...requests });
  const postgresMs = await openPostgresUsage(place.url);
  const writing = connect(`${place.servingUrl}?lock_timeout=${MAX_WAIT_MS}`, { poolSize: 1, ...requests });
  const { across, close: closeAcross } = connectAcross(place.url, PLAIN, {});
  try {
    const own = { ...(await createContext(owner.db)), db: serving.db };
    const bench: Bench = { changes, own, owner, serving, writing, across, postgresMs };
    await fill(bench);
    await reads(bench);
    await removal(bench);
  } finally {
    await Promise.all([owner.close(), serving.close(), writing.close(), closeAcross()]);
    await place.remove();
  }
}

/** Without triggers, as rows that have been there for months. */
async function fill({ changes, own, owner }: Bench): Promise<void> {
  const { merchantId, session } = own;
  await owner.db.execute(sql`
    create table filled as
    select n, now() - interval '1 hour' - (${changes}::int - n) * (interval '1 day' * ${(MONTHS * 365) / 12} / ${changes}::int) as at,
      md5('record ' || abs(hashint4(n)::bigint) % ${changes / OF_RECORD}::int)::uuid as record_id,
      md5('set ' || n / ${OF_SET}::int)::uuid as set_id,
      case abs(hashint4(n / ${OF_SET}::int) % 10) when 0 then null when 1 then md5('app')::uuid
        else ${session.authorizedAppId}::uuid end as app_id
    from generate_series(1, ${changes}::int) n`);
  for (let from = 1; from <= changes; from += FILLED_AT_ONCE) {
    await owner.db.transaction(async (transaction) => {
      await transaction.execute(sql`set local session_replication_role = replica`);
      for (const statement of insertions(merchantId, sql`f.n between ${from} and ${from + FILLED_AT_ONCE - 1}`))
        await transaction.execute(statement);
    });
    printProgress(`filled ${Math.min(from + FILLED_AT_ONCE - 1, changes)}`);
  }
  await owner.db.execute(sql`
    insert into changed_record (merchant_id, record_id, record_type, number, changed_at_ms)
    select ${merchantId}, record_id, 'PRODUCT', max(number), max(extract(epoch from created_at) * 1000) from change
    where merchant_id = ${merchantId} group by record_id`);
  await owner.db.execute(
    sql`update merchant set history_since = now() - interval '400 days' where merchant_id = ${merchantId}`,
  );
  await owner.db.execute(sql`vacuum analyze`);
  const [size] = await owner.db.execute(sql`
    select pg_total_relation_size('change') as change, pg_total_relation_size('change_part') as change_part,
      pg_total_relation_size('change_set') as change_set`);
  const bytes = Object.values(size!).reduce<number>((sum, value) => sum + Number(value), 0);
  print({ changes, bytes: size, bytesOfChange: Math.round(bytes / changes) });
}

function insertions(merchantId: string, chosen: SQL): SQL[] {
  const transaction = sql`md5('transaction ' || f.n)::uuid`;
  return [
    sql`
    insert into change_set (merchant_id, id, authorized_app_id, operation, request_id, database_role, created_at)
    select distinct on (f.set_id) ${merchantId}::uuid, f.set_id, f.app_id,
      case when f.app_id is not null then 'updateProduct' end, case when f.app_id is not null then f.set_id::text end,
      case when f.app_id is null then 'shop' end, f.at
    from filled f where ${chosen} order by f.set_id, f.n on conflict do nothing`,
    sql`
    insert into change
      (merchant_id, id, record_type, record_id, number, kind, change_transaction_id, change_set_id, authorized_app_id,
        bytes, created_at)
    select ${merchantId}::uuid, uuid_v7_at(f.at), 'PRODUCT', f.record_id,
      1 + coalesce((select max(c.number) from change c where c.merchant_id = ${merchantId} and c.record_id = f.record_id), 0)
        + row_number() over (partition by f.record_id order by f.n) - 1,
      'UPDATED', ${transaction}, f.set_id, f.app_id, 120, f.at
    from filled f where ${chosen}`,
    sql`
    insert into change_part
      (merchant_id, change_transaction_id, record_id, record_type, statement, part, row_change, before, after)
    select ${merchantId}::uuid, ${transaction}, f.record_id, 'PRODUCT', 1, '', 'UPDATED',
      json_build_object('name', 'Product ' || f.n, 'version', f.n), json_build_object('name', 'Product ' || f.n + 1, 'version', f.n + 1)
    from filled f where ${chosen}`,
  ];
}

async function reads(bench: Bench): Promise<void> {
  const { changes, own, owner } = bench;
  const records = await owner.db.execute<{ id: string }>(
    sql`select record_id as id from filled order by hashint4(n + 7) limit ${READS}`,
  );
  const pages = Math.min(READS, Math.floor(changes / 5_000));
  const cursors = await owner.db.execute<{ at: number }>(sql`
    select (extract(epoch from at) * 1000)::float8 as at from filled order by hashint4(n + 9) limit ${pages}`);
  const { authorizedAppId } = own.session;
  const byRecord = (n: number) => ({ recordId: { eq: records[n % records.length]!.id } });
  const byApp = (n: number) => ({
    authorizedAppId: { eq: authorizedAppId },
    createdAt: { lte: new Date(cursors[n % cursors.length]!.at) },
  });
  await measured('by record', bench, byRecord);
  await measured('by app, the newest', bench, () => ({ authorizedAppId: { eq: authorizedAppId } }));
  await measured('by app, before a random time', bench, byApp);
  await measured('by an app of a tenth, the newest', bench, () => ({ authorizedAppId: { eq: OTHER_APP } }));
}

async function measured(name: string, { own, postgresMs }: Bench, argsOf: (n: number) => object): Promise<void> {
  const member = { path: {}, before: {}, after: {} };
  const data = { id: {}, createdAt: {}, number: {}, kind: {}, recordType: {}, recordId: {}, members: member };
  const selection = {
    data: { ...data, changeSet: { id: {}, operation: {}, databaseRole: {}, app: { name: {} } } },
    hasNext: {},
  };
  let n = 0;
  const list = async (ctx: Context) => await listChange(ctx, argsOf(n++) as never, selection as never);
  const rows = (await list(own)).data.length;
  const usedMs = (await postgresMs())!;
  const timesMs = await timesOf(READS, () => list(own));
  const postgresCpuMs = Number((((await postgresMs())! - usedMs) / READS).toFixed(2));
  const percentile = percentilesOf(timesMs, 2);
  const plans: string[] = [];
  await list({ ...own, db: explaining(own.db as Database, plans) });
  const indexes = [...plans.join('\n').matchAll(/(?:using|Scan on) (\w+)/g)].map(([, index]) => index);
  print({
    listChange: name,
    rows,
    p50Ms: percentile(0.5),
    p95Ms: percentile(0.95),
    postgresCpuMs,
    plan: [...new Set(indexes)],
  });
  if (percentile(0.5) > MAX_MEDIAN_MS) process.exitCode = 1;
}

async function removal(bench: Bench): Promise<void> {
  const { own, owner, serving, across, postgresMs } = bench;
  const [{ due }] = (await owner.db.execute(sql`
    select count(*)::int as due from change
    where merchant_id = ${own.merchantId} and created_at < now() - make_interval(days => ${KEEP_DAYS})`)) as unknown as [
    { due: number },
  ];
  const [beganMs, usedMs] = [performance.now(), (await postgresMs())!];
  const { result: removed, writes: during } = await beside(bench, () =>
    removeOldChanges({ db: serving.db, across }, KEEP_DAYS),
  );
  const removalMs = performance.now() - beganMs;
  const postgresCpuMs = Math.round((await postgresMs())! - usedMs);
  const { writes: without } = await beside(bench, async () => await wait(removalMs));
  print({
    due,
    removed,
    removalMs: Math.round(removalMs),
    postgresCpuMs,
    msOfSlice: Math.round(removalMs / Math.ceil(due / 1_000)),
    writer: { during: figures(during), without: figures(without) },
  });
  if (during.waits > 0 || removed < due) process.exitCode = 1;
}

type Writes = { timesMs: number[]; waits: number };

function figures({ timesMs, waits }: Writes) {
  const percentile = percentilesOf(timesMs, 1);
  const maxMs = Math.max(...timesMs.map(Math.round));
  return { writes: timesMs.length, p50Ms: percentile(0.5), p95Ms: percentile(0.95), maxMs, waits };
}

/** Writes one change after the other while `work` runs. `waits`: writes that waited too long for a lock. */
async function beside<Result>(
  { own, writing }: Bench,
  work: () => Promise<Result>,
): Promise<{ result: Result; writes: Writes }> {
  const save = async (input: object): Promise<{ id: string }> => {
    const origin = changeOrigin({ merchantId: own.merchantId, operation: 'saveProductBrand' });
    const name = crypto.randomUUID();
    return await saveProductBrand({ ...own, db: writing.db, origin }, { input: { name, ...input } }, { id: {} });
  };
  const { id } = await save({});
  let isWorking = true;
  const writes: Writes = { timesMs: [], waits: 0 };
  const write = async (): Promise<void> => {
    while (isWorking)
      try {
        writes.timesMs.push(...(await timesOf(1, () => save({ id }))));
      } catch (error) {
        if (!String((error as Error).cause).includes('lock timeout')) throw error;
        writes.waits++;
      }
  };
  const isDone = write();
  const result = await work().finally(() => (isWorking = false));
  await isDone;
  return { result, writes };
}

function print(result: object): void {
  console.log(JSON.stringify(result));
}
