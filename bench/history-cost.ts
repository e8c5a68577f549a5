import type postgres from 'postgres';
import { connectOnce } from '../src/db/connection/connect.ts';
import { openBenchDatabase } from './database.ts';
import { commitOf, openEarlierShop, startEarlier } from './earlier.ts';
import { openHistoryFloor } from './history-floor.ts';
import type { Surroundings } from './http-subject.ts';
import { startLoad } from './load.ts';
import { ratioOf, type Result } from './results.ts';
import { runRounds } from './rounds.ts';
import { serviceSubject, startService } from './service.ts';
import { openShop } from './shop.ts';
import type { Subject } from './subject.ts';
import { openPostgresUsage, waitUntilIdle } from './usage.ts';
import { writeWorkloads } from './write-workloads.ts';

/** The commit before the first one with a history. */
const BEFORE = 'e3c6ecb9';
const SHOPS = [10_000, 2_000];
const SECONDS = 5;
const OPTIONS = { warmUpSeconds: 3, connections: 1 };
/** The CPU time of PostgreSQL with a history, at most so many times the floor. */
const MOST = 1.1;

type Stoppable = { stop(): Promise<void> };

/**
 * Compares the CPU time of PostgreSQL for W5, W6 and W7 with a history and without one, with that of the commit before the
 * history, and with the insert of the same rows, in rounds in which they take turns. The floor is the sum of the last two.
 * Exits with code 1 if the history costs more than the floor and 10 %.
 */
export async function cost(rounds: number): Promise<void> {
  const opened: Stoppable[] = [];
  const open = <Opened extends Stoppable>(one: Opened): Opened => (opened.unshift(one), one);
  try {
    const database = await openBenchDatabase(SHOPS);
    open({ stop: () => database.close() });
    const { url, merchantId } = database;
    const { shop, token } = await openShop(url, merchantId);
    const service = open(await startService(database.servingUrl));
    const postgresMs = await openPostgresUsage(url);
    const load = open(await startLoad(shop));
    const surroundings: Surroundings = { shop, load, postgresMs, untilIdle: async () => await waitUntilIdle(url) };
    const client = connectOnce(url);
    open({ stop: async () => await client.end() });
    const earlier = open(await openEarlierShop(await commitOf(BEFORE), SHOPS));
    const subject = (name: string) => serviceSubject(service, token, surroundings, name);
    const subjects = [
      withHistory(subject('on'), client, { merchantId, isKept: true }),
      withHistory(subject('off'), client, { merchantId, isKept: false }),
      open(await startEarlier(BEFORE, earlier)),
      open(openHistoryFloor({ databaseUrl: url, merchantId, postgresMs })),
    ];
    const workloads = writeWorkloads.map((workload) => ({ ...workload, connections: OPTIONS.connections }));
    const results = await runRounds(workloads, subjects, { rounds, seconds: SECONDS, ...OPTIONS });
    await printBytes(client, merchantId);
    for (const { name, title } of workloads) report(`${name}: ${title}`, results.filter((result) => result.workload === name));
  } finally {
    for (const one of opened) await one.stop();
  }
}

/** Begins or ends the merchant's history before each measurement. Answers are not compared: the service is the same. */
function withHistory(
  { answer: _, ...subject }: Subject,
  client: postgres.Sql,
  { merchantId, isKept }: { merchantId: string; isKept: boolean },
): Subject {
  return {
    ...subject,
    sample: async (workload, settings) => {
      await client`update merchant set history_since = case when ${isKept} then now() end where merchant_id = ${merchantId}`;
      return await subject.sample(workload, settings);
    },
  };
}

async function printBytes(client: postgres.Sql, merchantId: string): Promise<void> {
  const rows = await client`
    select s.operation, count(*)::int as changes, count(distinct s.id)::int as sets, avg(c.bytes)::int as bytes_of_values
    from change c join change_set s on s.merchant_id = c.merchant_id and s.id = c.change_set_id
    where c.merchant_id = ${merchantId} group by s.operation`;
  const [size] = await client`
    select (pg_total_relation_size('change') + pg_total_relation_size('change_part')
      + pg_total_relation_size('change_set') + pg_total_relation_size('changed_record'))::float8 as bytes,
      (select count(*)::float8 from change) as changes`;
  console.log(JSON.stringify({ bytesOfChange: Math.round(size!.bytes / size!.changes), operations: rows }));
}

function report(title: string, results: readonly Result[]): void {
  const [on, off, earlier, rows] = results as [Result, Result, Result, Result];
  const floor: Result = {
    ...earlier,
    subject: 'floor',
    postgresCpuMs: earlier.postgresCpuMs! + rows.postgresCpuMs!,
    postgresCpuMsOfRounds: earlier.postgresCpuMsOfRounds.map((ms, round) => ms + rows.postgresCpuMsOfRounds[round]!),
  };
  console.log(title);
  for (const result of [on, off, earlier, rows, floor]) {
    const { median, interval } = ratioOf(result, floor, 'postgresCpuMsOfRounds');
    const range = interval.map((ratio) => ratio.toFixed(2)).join(' to ');
    const cpuMs = result.postgresCpuMs!.toFixed(2).padStart(7);
    console.log(`  ${result.subject.padEnd(9)} ${cpuMs} ms CPU of Postgres, ${median.toFixed(2)} x the floor (${range})`);
    if (result.failed > 0 || (result === on && median > MOST)) process.exitCode = 1;
  }
  const { median, interval } = ratioOf(off, earlier, 'postgresCpuMsOfRounds');
  console.log(`  off: ${median.toFixed(2)} x ${BEFORE} (${interval.map((ratio) => ratio.toFixed(2)).join(' to ')})`);
}
