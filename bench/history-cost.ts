import { setTimeout as wait } from 'node:timers/promises';
import type postgres from 'postgres';
import { connectOnce } from '../src/db/connection/connect.ts';
import { ROOT } from './child.ts';
import { openBenchDatabase } from './database.ts';
import { commitOf, openEarlierDatabase } from './earlier.ts';
import { openHistoryFloor } from './history-floor.ts';
import { openWriter, type Writer } from './history-writer.ts';
import { printProgress } from './print-progress.ts';
import { medians, ratioOf, type Result } from './results.ts';
import type { Sample } from './subject.ts';
import { exactCpuMs } from './usage.ts';
import type { Workload } from './workload.ts';
import { writeWorkloads } from './write-workloads.ts';

/** The commit before the first one with a history. */
const BEFORE = 'e3c6ecb9';
const SHOPS = [10_000, 2_000];
/** A create is too short to be measured by itself. */
const CREATES_OF_ROUND = 8;
/** A round of W5 is shorter than one of the others. */
const ROUNDS_OF_W5 = 4;
const WARM_UP_ROUNDS = 2;
/** The server process has more to do after its last answer. */
const IDLE_MS = 3;
/** The CPU time with a history, at most so many times the floor. */
const MOST = 1.1;

/** `run` returns the number of requests that it has executed. */
type Subject = {
  name: string;
  pid: number;
  prepare?: () => Promise<void>;
  run: (workload: Workload, requests: number) => Promise<number>;
};

/**
 * Compares the CPU time of PostgreSQL for W5, W6 and W7 with a history and without one, with that of the commit before
 * the history, and with a bare insert of the same rows. The floor is the sum of the last two. The subjects take turns.
 * Each subject has one connection, and this process sends the requests of all. Measured is the CPU time of the PostgreSQL
 * process that serves the connection: other work on the machine changes it less than the CPU time of all PostgreSQL
 * processes. Exits with code 1 if a history costs more than the floor and 10 %.
 */
export async function cost(rounds: number): Promise<void> {
  const closes: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closes.toReversed()) await one();
  };
  try {
    const database = await openBenchDatabase(SHOPS);
    closes.push(database.close);
    const former = await openEarlierDatabase(await commitOf(BEFORE), SHOPS);
    closes.push(former.database.close);
    const client = connectOnce(database.url);
    closes.push(async () => await client.end());
    const writer = await openWriter(ROOT, database, true);
    closes.push(writer.close);
    const earlier = await openWriter(former.directory, former.database, false);
    closes.push(earlier.close);
    const floor = await openHistoryFloor(database);
    closes.push(floor.close);
    const subjects: Subject[] = [
      { ...serviceSubject('on', writer), prepare: async () => await keepHistory(client, database.merchantId, true) },
      { ...serviceSubject('off', writer), prepare: async () => await keepHistory(client, database.merchantId, false) },
      // Twice, because the other database is written with a history and without one.
      serviceSubject(BEFORE, earlier, 2),
      { name: 'rows', pid: floor.pid, run: async (_, count) => (await floor.write(count), count) },
    ];
    for (const workload of writeWorkloads) {
      printProgress(`${workload.name}: ${workload.title}`);
      report(workload, await measure(workload, subjects, rounds, floor.copy));
    }
    await printBytes(client);
  } finally {
    await close();
  }
}

let written = 0;

function serviceSubject(name: string, writer: Writer, times = 1): Subject {
  const run = async (workload: Workload, requests: number): Promise<number> => {
    for (let n = 0; n < requests * times; n++) await writer.write(workload, written++);
    return requests * times;
  };
  return { name, pid: writer.pid, run };
}

async function keepHistory(client: postgres.Sql, merchantId: string, isKept: boolean): Promise<void> {
  await client`
    update merchant set history_since = case when ${isKept} then now() end where merchant_id = ${merchantId}`;
}

/** The first rounds are not counted. After the first one there are rows for the floor. */
async function measure(
  workload: Workload,
  subjects: readonly Subject[],
  rounds: number,
  copyRows: () => Promise<void>,
): Promise<Result[]> {
  const [requests, count] = workload.name === 'W5' ? [CREATES_OF_ROUND, rounds * ROUNDS_OF_W5] : [1, rounds];
  const samples = new Map<Subject, Sample[]>(subjects.map((subject) => [subject, []]));
  for (let round = -WARM_UP_ROUNDS; round < count; round++) {
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
      if (round === -WARM_UP_ROUNDS && subject.name === 'rows') await copyRows();
      await subject.prepare?.();
      const sample = await take(workload, subject, requests);
      if (round >= 0) samples.get(subject)!.push(sample);
    }
  }
  return subjects.map((subject) => medians(workload.name, subject.name, samples.get(subject)!));
}

async function take(workload: Workload, { pid, run }: Subject, requests: number): Promise<Sample> {
  await wait(IDLE_MS);
  const [beforeMs, begunMs] = [await exactCpuMs(pid), performance.now()];
  const executed = await run(workload, requests);
  const perSecond = (executed * 1_000) / (performance.now() - begunMs);
  await wait(IDLE_MS);
  const postgresCpuMs = ((await exactCpuMs(pid)) - beforeMs) / executed;
  const unknown = { p50Ms: null, p99Ms: null, nodeCpuMs: null, residentMiB: null, bytes: null };
  return { perSecond, postgresCpuMs, ...unknown, failed: 0, failure: null };
}

function report({ name, title }: Workload, results: readonly Result[]): void {
  const [on, off, earlier, rows] = results as [Result, Result, Result, Result];
  const floor: Result = {
    ...earlier,
    subject: 'floor',
    postgresCpuMs: earlier.postgresCpuMs! + rows.postgresCpuMs!,
    postgresCpuMsOfRounds: earlier.postgresCpuMsOfRounds.map((ms, round) => ms + rows.postgresCpuMsOfRounds[round]!),
  };
  console.log(`${name}: ${title}`);
  for (const result of [on, off, earlier, rows, floor]) {
    const compared = ratioText(result, floor);
    console.log(
      `  ${result.subject.padEnd(9)} ${result.postgresCpuMs!.toFixed(2).padStart(7)} ms, ${compared} the floor`,
    );
  }
  console.log(`  off is ${ratioText(off, earlier)} ${BEFORE}`);
  if (ratioOf(on, floor, 'postgresCpuMsOfRounds').median > MOST) process.exitCode = 1;
}

function ratioText(one: Result, other: Result): string {
  const { median, interval } = ratioOf(one, other, 'postgresCpuMsOfRounds');
  return `${median.toFixed(2)} x (${interval.map((ratio) => ratio.toFixed(2)).join(' to ')})`;
}

/** What the history has, and the bytes of a change with all indexes. */
async function printBytes(client: postgres.Sql): Promise<void> {
  const rows = await client<{ operation: string; changes: number; bytes: number }[]>`
    select s.operation, count(*)::int as changes, avg(c.bytes)::int as bytes
    from change c join change_set s on s.merchant_id = c.merchant_id and s.id = c.change_set_id
    where s.operation is not null group by s.operation order by s.operation`;
  for (const { operation, changes, bytes } of rows)
    console.log(`${operation}: ${changes} changes, ${bytes} bytes of values each`);
  const [size] = await client<{ bytes: number }[]>`
    select round((pg_total_relation_size('change') + pg_total_relation_size('change_part')
      + pg_total_relation_size('change_set') + pg_total_relation_size('changed_record'))::numeric
      / (select count(*) from change))::int as bytes`;
  console.log(`${size!.bytes} bytes a change with all indexes`);
}
