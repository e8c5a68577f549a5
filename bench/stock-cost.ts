import { openBenchDatabase } from './database.ts';
import { commitOf, openEarlierShop, startEarlier } from './earlier.ts';
import type { Surroundings } from './http-subject.ts';
import { startLoad } from './load.ts';
import { ratioOf, type Result } from './results.ts';
import { runRounds } from './rounds.ts';
import { serviceSubject, startService } from './service.ts';
import { openShop } from './shop.ts';
import { openStockFloor } from './stock-floor.ts';
import { addStockLocation } from './stock-location.ts';
import { stockWorkloads } from './stock-workloads.ts';
import { openPostgresUsage, waitUntilIdle } from './usage.ts';

/** The commit before the first one with movements. */
const BEFORE = '08597b44';
const SHOPS = [2_000, 2_000];
const OPTIONS = { rounds: 7, seconds: 5, warmUpSeconds: 3, connections: 1 };
/** The CPU time of PostgreSQL, at most so many times that of the commit before. */
const GOALS = [
  { workload: 'S3', most: 1.6 },
  { workload: 'S4', most: 1.05 },
];

type Stoppable = { stop(): Promise<void> };

/**
 * Compares the CPU time of PostgreSQL for 1,000 changed counts, and for 1,000 unchanged ones, with that of the commit before
 * the ledger, in rounds in which they take turns. Exits with code 1 if a goal is missed.
 */
export async function cost(): Promise<void> {
  const opened: Stoppable[] = [];
  const open = <Opened extends Stoppable>(one: Opened): Opened => (opened.unshift(one), one);
  try {
    const database = await openBenchDatabase(SHOPS);
    open({ stop: () => database.close() });
    const { url, merchantId } = database;
    await addStockLocation(url, merchantId);
    const { shop, token } = await openShop(url, merchantId);
    const service = open(await startService(database.servingUrl));
    const postgresMs = await openPostgresUsage(url);
    const load = open(await startLoad(shop));
    const surroundings: Surroundings = { shop, load, postgresMs, untilIdle: async () => await waitUntilIdle(url) };
    const earlier = open(await openEarlierShop(await commitOf(BEFORE), SHOPS));
    await addStockLocation(earlier.databaseUrl, earlier.surroundings.shop.merchantId);
    const subjects = [
      serviceSubject(service, token, surroundings),
      open(await startEarlier(BEFORE, earlier)),
      open(await openStockFloor({ databaseUrl: url, merchantId, postgresMs })),
    ];
    const workloads = GOALS.map((goal) => stockWorkloads.find(({ name }) => name === goal.workload)!);
    const results = await runRounds(workloads, subjects, OPTIONS);
    for (const goal of GOALS) report(goal, results);
  } finally {
    for (const one of opened) await one.stop();
  }
}

function report({ workload, most }: (typeof GOALS)[number], results: readonly Result[]): void {
  const compared = results.filter((result) => result.workload === workload);
  const earlier = compared.find(({ subject }) => subject === BEFORE)!;
  console.log(`${workload}: ${stockWorkloads.find(({ name }) => name === workload)!.title}`);
  for (const result of compared) {
    const { median, interval } = ratioOf(result, earlier, 'postgresCpuMsOfRounds');
    const range = interval.map((ratio) => ratio.toFixed(2)).join(' to ');
    const cpuMs = result.postgresCpuMs!.toFixed(1).padStart(6);
    console.log(`  ${result.subject.padEnd(9)} ${cpuMs} ms CPU of Postgres, ${median.toFixed(2)} x (${range})`);
    if (result.failed > 0) process.exitCode = 1;
    if (result.subject !== 'service') continue;
    if (median > most) process.exitCode = 1;
    console.log(`            goal: at most ${most} x ${BEFORE}: ${median > most ? 'missed' : 'reached'}`);
  }
}
