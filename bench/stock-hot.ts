import { connect } from '../src/db/connection/connect.ts';
import { chainFaults, countsOf, movementsOf } from '../test/stock/kills/count-ledger.ts';
import { loadCatalogue } from './catalogue.ts';
import type { Child } from './child.ts';
import { openBenchDatabase } from './database.ts';
import { type Load, type LoadResult, startLoad } from './load.ts';
import { GRAPHQL_PATH, startService } from './service.ts';
import { openShop } from './shop.ts';
import { addStockLocation } from './stock-location.ts';
import { HOT_ROWS, nthAdjustment } from './stock-workloads.ts';
import { cpuMs, openPostgresUsage, waitUntilIdle } from './usage.ts';
import type { Shop } from './workload.ts';

/** The merchant of the load, and the one beside it. */
const SHOPS = [2_000, 2_000];
const CLIENTS = 64;
const BYSTANDER_CONNECTIONS = 2;
const WARM_UP_SECONDS = 3;
/** Measurements with requests of the first merchant. */
const CROWD_JOBS = 3;
const MIN_A_SECOND = 2_000;
const MAX_LONGER_MS = 50;
const TIMEOUT_MS = 120_000;
/** Distance between the first requests of two measurements, so that no key is used twice. */
const FIRST_REQUESTS_APART = 10_000_000;
const LISTED = 5;

type Source = { load: Load; shop: Shop; service: Child; token: string };
type Job = { workload: string; connections: number; seconds: number };

let measured = 0;

/**
 * Measures movements on ten counts of one merchant, one a request, and how long a second merchant waits meanwhile. Then
 * checks that each count is the sum of its distinct keys. Exits with code 1 if a count is wrong or a goal is missed.
 */
export async function hot(seconds: number): Promise<void> {
  const database = await openBenchDatabase(SHOPS);
  const [merchantId, secondId] = await loadCatalogue(database.url, SHOPS);
  for (const id of [merchantId!, secondId!]) await addStockLocation(database.url, id);
  const service = await startService(database.servingUrl);
  const crowd = await openSource(service, database.url, merchantId!);
  const bystander = await openSource(service, database.url, secondId!);
  try {
    const jobOf = (workload: string, connections: number): Job => ({ workload, connections, seconds });
    const [adjusting, aside] = [jobOf('S1', CLIENTS), jobOf('S2', BYSTANDER_CONNECTIONS)];
    const warm = { seconds: WARM_UP_SECONDS };
    const warmed = [await run(crowd, { ...adjusting, ...warm }), await run(bystander, { ...aside, ...warm })];
    await waitUntilIdle(database.url);
    const usage = await usageOf(service, database.url);
    const loaded = await run(crowd, adjusting);
    const used = await usage();
    await waitUntilIdle(database.url);
    const alone = await run(bystander, aside);
    const [besideLoad, beside] = await Promise.all([run(crowd, adjusting), run(bystander, aside)]);
    await waitUntilIdle(database.url);
    printLoad(loaded, used);
    printBystander(alone, beside);
    const answered = [warmed[0]!, loaded, besideLoad].reduce((sum, { requests }) => sum + requests, 0);
    await check(crowd.shop, database.url, answered);
  } finally {
    for (const { load } of [crowd, bystander]) await load.stop();
    await service.stop();
    await database.close();
  }
}

async function openSource(service: Child, databaseUrl: string, merchantId: string): Promise<Source> {
  const { shop, token } = await openShop(databaseUrl, merchantId);
  return { load: await startLoad(shop), shop, service, token };
}

async function run({ load, service, token }: Source, job: Job): Promise<LoadResult> {
  const headers = { authorization: `Bearer ${token}` };
  const url = service.url + GRAPHQL_PATH;
  const result = await load.run({ ...job, side: 'own', url, headers, first: ++measured * FIRST_REQUESTS_APART });
  if (result.failed > 0) fail(`${result.failed} requests of ${job.workload} failed: ${result.failure}`);
  return result;
}

type Used = { nodeMs: number; postgresMs: number };

/** Returns a function that returns the CPU time since now. */
async function usageOf(service: Child, databaseUrl: string): Promise<() => Promise<Used>> {
  const postgres = await openPostgresUsage(databaseUrl);
  const read = async () => ({ nodeMs: await cpuMs(service.pid), postgresMs: (await postgres()) ?? Number.NaN });
  const before = await read();
  return async () => {
    const after = await read();
    return { nodeMs: after.nodeMs - before.nodeMs, postgresMs: after.postgresMs - before.postgresMs };
  };
}

function printLoad({ requests, seconds, p50Ms, p99Ms }: LoadResult, { nodeMs, postgresMs }: Used): void {
  const aSecond = Math.round(requests / seconds);
  print({
    clients: CLIENTS,
    movements: requests,
    aSecond,
    goal: MIN_A_SECOND,
    p50Ms: rounded(p50Ms),
    p99Ms: rounded(p99Ms),
    nodeCpuMs: rounded(nodeMs / requests),
    postgresCpuMs: rounded(postgresMs / requests),
  });
  if (aSecond < MIN_A_SECOND) fail(`${aSecond} movements a second are fewer than ${MIN_A_SECOND}`);
}

function printBystander(alone: LoadResult, beside: LoadResult): void {
  const figures = ({ requests, p50Ms, p99Ms }: LoadResult) => ({
    requests,
    p50Ms: rounded(p50Ms),
    p99Ms: rounded(p99Ms),
  });
  const longerMs = rounded(beside.p99Ms - alone.p99Ms);
  print({
    secondMerchant: { alone: figures(alone), beside: figures(beside) },
    p99LongerMs: longerMs,
    goal: MAX_LONGER_MS,
  });
  if (longerMs > MAX_LONGER_MS) fail(`the second merchant waits ${longerMs} ms longer (p99)`);
}

/** Requests in flight at the end of a measurement may have had an effect too. */
async function check({ merchantId, products }: Shop, databaseUrl: string, answered: number): Promise<void> {
  const { db, close } = connect(databaseUrl, { poolSize: 1, statementTimeoutMs: TIMEOUT_MS });
  try {
    const faults: string[] = [];
    const owner = { db, merchantId };
    const counts = await countsOf(owner);
    let applied = 0;
    for (const count of counts) {
      const movements = await movementsOf(owner, count.id);
      applied += movements.length;
      faults.push(...chainFaults(count, movements));
      for (const { key, delta } of movements) {
        const expected = nthAdjustment(Number(key));
        if (expected.delta !== delta || products[expected.row]!.variants[0]!.id !== count.variantId)
          faults.push(`${count.id}: ${delta} of the key ${key}`);
      }
    }
    const inFlight = CROWD_JOBS * CLIENTS;
    if (applied < answered || applied > answered + inFlight) faults.push(`${answered} answers, ${applied} movements`);
    print({ counts: counts.length, answered, applied, faults: faults.length });
    if (counts.length !== HOT_ROWS) fail(`${counts.length} counts and not ${HOT_ROWS}`);
    for (const fault of faults.slice(0, LISTED)) fail(fault);
  } finally {
    await close();
  }
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

function print(result: object): void {
  console.log(JSON.stringify(result));
}

function fail(reason: string): void {
  console.log(`missed: ${reason}`);
  process.exitCode = 1;
}
