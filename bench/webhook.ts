import { createSecretKey, randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { createApp } from '../src/app/create-app.ts';
import { appScopes } from '../src/app-scope.ts';
import { AcrossMerchants } from '../src/db/connection/across-merchants.ts';
import { connect } from '../src/db/connection/connect.ts';
import type { Database } from '../src/db/connection/database.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { migrate } from '../src/db/schema/migrate.ts';
import { startWebhooks } from '../src/worker/webhooks/start-webhooks.ts';
import { createMerchant } from '../src/merchant/create-merchant.ts';
import { keepHistory } from '../src/merchant/keep-history.ts';
import { LedgerRun } from '../test/worker/webhooks/ledger-run.ts';
import { openReceiver, until } from '../test/worker/webhooks/receiver.ts';
import { percentilesOf } from './percentiles.ts';
import { openPostgresUsage } from './usage.ts';

/**
 * `node bench/webhook.ts [latency] [drain] [inserts] [ledger]` runs the named parts, or all of them. Prints JSON on
 * stdout. Worker, receiver and writers run in this process, so they share its CPU.
 */
const wanted = new Set(process.argv.slice(2));
const DRAINED = 100_000;
const LATENCY_SECONDS = 20;
const INSERT_WRITERS = 8;
const INSERT_SECONDS = 4;
const INSERT_ROUNDS = 5;

const isWanted = (name: string): boolean => wanted.size === 0 || wanted.has(name);
if (isWanted('ledger')) await ledger();
if (['latency', 'drain', 'inserts'].some(isWanted)) await onOneServer();

async function ledger(): Promise<void> {
  const run = await LedgerRun.start();
  try {
    print('ledger', await run.play({ changes: 20_000, serviceKills: 10, databaseDisturbances: 3 }));
  } finally {
    await run.stop();
  }
}

type AppContext = { db: Database; merchantId: string; authorizedAppId: string };

async function onOneServer(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-bench-'));
  await chmod(folder, 0o755);
  const postgres = await startEmbeddedPostgres(folder);
  await migrate(postgres.url, postgres.servingUrl);
  const connection = connect(postgres.url, { poolSize: INSERT_WRITERS, statementTimeoutMs: 120_000 });
  const { db } = connection;
  const secretKey = createSecretKey(randomBytes(32));
  const owner = {
    email: 'owner@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    merchantName: 'AppContext',
    currencyCode: 'EUR',
  };
  const { merchantId } = await createMerchant({ db }, { input: owner });
  const { authorizedAppId } = await createApp(
    { db, merchantId, secretKey },
    { input: { name: 'Bench', scopes: [...appScopes] } },
  );
  const ctx = { db, merchantId, authorizedAppId };
  const log = { debug() {}, info() {}, warn() {}, error: console.error };
  const work = async () =>
    await startWebhooks({
      databaseUrl: postgres.servingUrl,
      across: new AcrossMerchants(db),
      allowHttp: true,
      allowPrivate: true,
      secretKey,
      retryDelaysMs: [10_000, 60_000],
      log,
    });
  try {
    if (isWanted('inserts')) await inserts(ctx);
    if (isWanted('latency')) {
      const postgresCpuMs = await openPostgresUsage(postgres.url);
      for (const rate of [100, 500]) {
        for (const hasHistory of [true, false]) {
          await keepHistory(ctx, hasHistory);
          await latency(ctx, { rate, hasHistory }, work, postgresCpuMs);
        }
      }
      await keepHistory(ctx, true);
    }
    if (isWanted('drain')) await drain(ctx, work);
  } finally {
    await connection.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Alternates and takes medians, because the speed of the machine changes from minute to minute. The bare table is the
 * same without triggers. Without an endpoint the triggers are called and do nothing.
 */
async function inserts(ctx: AppContext): Promise<void> {
  const { db } = ctx;
  await db.execute(sql`create table customer_bare (like customer including all)`);
  for (const list of ['price_list_id', 'last_price_list_id']) {
    await db.execute(
      sql`alter table customer_bare add foreign key (merchant_id, ${sql.identifier(list)}) references price_list (merchant_id, id)`,
    );
  }
  const rates = {
    bare: [] as number[],
    'no endpoint': [] as number[],
    'one endpoint': [] as number[],
  };
  for (let round = 0; round < INSERT_ROUNDS; round++) {
    await db.execute(sql`delete from webhook`);
    rates.bare.push(await insertRate(ctx, 'customer_bare'));
    rates['no endpoint'].push(await insertRate(ctx, 'customer'));
    await register(ctx, 'http://127.0.0.1:9/');
    rates['one endpoint'].push(await insertRate(ctx, 'customer'));
  }
  const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
  const bare = median(rates.bare);
  print(
    'inserts',
    Object.fromEntries(
      Object.entries(rates).map(([name, values]) => [
        name,
        { perSecond: Math.round(median(values)), ofBare: median(values) / bare },
      ]),
    ),
  );
  await forget(ctx);
}

async function insertRate({ db, merchantId }: AppContext, table: string): Promise<number> {
  const endsAtMs = performance.now() + INSERT_SECONDS * 1_000;
  let made = 0;
  const write = async (): Promise<void> => {
    while (performance.now() < endsAtMs) {
      await db.execute(
        sql`insert into ${sql.identifier(table)} (merchant_id, first_name, email) values (${merchantId}, 'Ada', ${`ada${made++}@example.com`})`,
      );
    }
  };
  await Promise.all(Array.from({ length: INSERT_WRITERS }, write));
  return made / INSERT_SECONDS;
}

/**
 * Inserts customers, each in a transaction of its own. Measures the time from the start of an insert until the receiver
 * has its webhook request, and the CPU time of PostgreSQL and of this process per event.
 */
async function latency(
  ctx: AppContext,
  { rate, hasHistory }: { rate: number; hasHistory: boolean },
  work: () => Promise<{ stop(): Promise<void> }>,
  postgresCpuMs: () => Promise<number | null>,
): Promise<void> {
  const sentAtMs = new Map<string, number>();
  const tookMs: number[] = [];
  const receiver = await openReceiver(({ body }, response) => {
    response.writeHead(200).end();
    tookMs.push(
      performance.now() - sentAtMs.get((JSON.parse(body.data as string) as { firstName: string }).firstName)!,
    );
  });
  await register(ctx, receiver.url);
  const worker = await work();
  const [postgresBeforeMs, nodeBefore] = [(await postgresCpuMs()) ?? 0, process.cpuUsage()];
  const startedAtMs = performance.now();
  const committing: Promise<unknown>[] = [];
  for (let n = 0; n < rate * LATENCY_SECONDS; n++) {
    const dueMs = startedAtMs + (n * 1_000) / rate - performance.now();
    if (dueMs > 1) await wait(dueMs);
    const name = `${rate} ${hasHistory} ${n}`;
    committing.push(
      ctx.db
        .execute(sql`insert into customer (merchant_id, first_name) values (${ctx.merchantId}, ${name})`)
        .then(() => undefined),
    );
    sentAtMs.set(name, performance.now());
  }
  await Promise.all(committing);
  await until(
    () => tookMs.length,
    (count) => count >= rate * LATENCY_SECONDS,
    60_000,
  );
  const at = percentilesOf(tookMs, 1);
  const node = process.cpuUsage(nodeBefore);
  print(`latency at ${rate}/s ${hasHistory ? 'with' : 'without'} a history`, {
    count: tookMs.length,
    p50Ms: at(0.5),
    p90Ms: at(0.9),
    p99Ms: at(0.99),
    postgresCpuMs: (((await postgresCpuMs()) ?? 0) - postgresBeforeMs) / tookMs.length,
    nodeCpuMs: (node.user + node.system) / 1_000 / tookMs.length,
  });
  await worker.stop();
  await receiver.close();
  await forget(ctx);
}

async function drain(ctx: AppContext, work: () => Promise<{ stop(): Promise<void> }>): Promise<void> {
  const receiver = await openReceiver();
  await register(ctx, receiver.url);
  await ctx.db.execute(
    sql`insert into customer (merchant_id, first_name) select ${ctx.merchantId}, 'n' || n from generate_series(1, ${DRAINED}::int) n`,
  );
  const startedAtMs = performance.now();
  const worker = await work();
  const halves: number[] = [];
  for (const part of [DRAINED / 2, DRAINED]) {
    await until(
      () => receiver.received.length,
      (count) => count >= part,
      600_000,
    );
    halves.push(performance.now() - startedAtMs);
  }
  const perSecond = (count: number, ms: number): number => Math.round((count * 1_000) / ms);
  print('drain', {
    deliveries: DRAINED,
    perSecond: perSecond(DRAINED, halves[1]!),
    firstHalf: perSecond(DRAINED / 2, halves[0]!),
    secondHalf: perSecond(DRAINED / 2, halves[1]! - halves[0]!),
  });
  await worker.stop();
  await receiver.close();
}

async function register({ db, merchantId, authorizedAppId }: AppContext, endpoint: string): Promise<void> {
  await db.execute(sql`
    insert into webhook (merchant_id, authorized_app_id, scope, endpoint) values (${merchantId}, ${authorizedAppId}, 'store/customer/created', ${endpoint})`);
}

async function forget({ db }: AppContext): Promise<void> {
  await db.execute(sql`delete from webhook`);
  await db.execute(sql`delete from webhook_delivery`);
  await db.execute(sql`delete from pgboss.job`);
}

function print(name: string, figures: object): void {
  process.stdout.write(`${JSON.stringify({ [name]: figures })}\n`);
}
