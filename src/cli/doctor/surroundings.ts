import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { isDriverPatched } from '../../db/connection/driver.ts';
import type { Database } from '../../db/connection/database.ts';
import { openDecoder } from '../../image/decoder.ts';
import { DELIVERY_QUEUE } from '../../webhook/ledger/delivery-queue.ts';
import { queueDeliveries } from '../../webhook/ledger/queue-deliveries.ts';
import { connectedProcesses } from '../database/connected-processes.ts';
import { Broken, type Check } from './check.ts';
import { storageCheck } from './storage.ts';
import type { Subject } from './subject.ts';
import { START } from '../../installation/own-command.ts';

const MAX_CLOCK_SKEW_MS = 2_000;
/** A PNG of one pixel. */
const TEST_PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const ignore = (): void => {};
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };
/** A worker that misses the notification polls after 5 s. */
const JOB_TIMEOUT_MS = 10_000;
const JOB_POLL_MS = 50;

export const configurationChecks: Check[] = [
  {
    name: 'configuration',
    tried: 'read the environment',
    repair: 'less docs/configuration.md   # the table of variables',
    run: configuration,
  },
  { name: 'driver', tried: 'look for our patch of the PostgreSQL driver', repair: 'npm ci', run: driver },
];

/** What is beside the database. */
export const surroundingChecks: Check[] = [
  storageCheck,
  { name: 'decoder', tried: 'decode a picture', repair: 'ops/install-decoder.sh', run: decoder },
  {
    name: 'clock',
    tried: "compare this machine's time with the database's",
    repair: 'timedatectl set-ntp true   # on both machines',
    run: clock,
  },
  { name: 'worker', tried: 'queue a job and wait until a worker has removed it', repair: START, run: worker },
];

async function configuration({ config }: Subject): Promise<string> {
  return config.databaseUrl === undefined ? `embedded database in ${config.dataDir}` : 'DATABASE_URL is set';
}

async function driver(): Promise<string> {
  if (!isDriverPatched())
    throw new Broken(
      'the patch is missing: the packages were installed with --ignore-scripts, or another version is there',
      'npx patch-package',
    );
  return 'patched';
}

/** `npm ci --omit=optional` leaves out the binaries of sharp. */
async function decoder(): Promise<string> {
  const opened = openDecoder(SILENT);
  try {
    const decoded = await opened.original(randomUUID(), { kind: 'original', format: 'png', bytes: TEST_PICTURE });
    if ('problem' in decoded) throw new Error(`the decoder fails: ${decoded.problem}`);
    return 'works';
  } finally {
    opened.close();
  }
}

/** The database clock decides when tokens expire; this machine's clock is in webhook signatures. */
async function clock(subject: Subject): Promise<string> {
  const db = await subject.db();
  const before = Date.now();
  const [row] = await readRows(
    { db },
    { now: column.number },
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
  );
  const skewMs = Math.round(Math.max(before - row!.now, row!.now - Date.now(), 0));
  if (skewMs > MAX_CLOCK_SKEW_MS) throw new Error(`the database's clock is ${skewMs} ms away from this machine's`);
  return `${skewMs} ms away from the database's`;
}

/** The job belongs to a delivery that does not exist, so the worker finds nothing to send and removes it. */
async function worker(subject: Subject): Promise<string> {
  const db = await subject.db();
  const { processes, workers } = await connectedProcesses(db);
  if (processes + workers === 0) return `not tried: the service is not running. Start it: ${START}`;
  const startedAtMs = performance.now();
  const id = randomUUID();
  await queueDeliveries({ db, merchantId: randomUUID() }, [{ id, endpoint: 'doctor' }]);
  while (await hasJob(db, id)) {
    if (performance.now() - startedAtMs > JOB_TIMEOUT_MS) {
      await removeJob(db, id);
      throw noWorker(workers);
    }
    await wait(JOB_POLL_MS);
  }
  return `removed the job after ${Math.round(performance.now() - startedAtMs)} ms`;
}

function noWorker(workers: number): Broken {
  return workers > 0
    ? new Broken(
        `a worker is connected, but did not take the job within ${JOB_TIMEOUT_MS / 1_000} s`,
        "systemctl restart 'commerce@worker-*'   # after a look into its log",
      )
    : new Broken('the service runs, but none of its processes is a worker', `ROLE=worker ${START}`);
}

async function hasJob(db: Database, id: string): Promise<boolean> {
  return (await db.execute(sql`select from ${await jobTable(db)} where id = ${id}`)).length === 1;
}

async function removeJob(db: Database, id: string): Promise<void> {
  await db.execute(sql`delete from ${await jobTable(db)} where id = ${id}`);
}

/** The serving role may read this partition of pgboss.job and no other. */
async function jobTable(db: Database) {
  const [row] = await readRows(
    { db },
    { name: column.text },
    sql`select table_name as name from pgboss.queue where name = ${DELIVERY_QUEUE}`,
  );
  return sql`pgboss.${sql.identifier(row!.name)}`;
}
