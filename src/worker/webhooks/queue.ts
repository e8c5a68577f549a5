import { PgBoss } from 'pg-boss';
import type { Logger } from '../../context.ts';
import { nodePostgresOptions } from '../../values/connection-url.ts';
import { isDatabaseUnavailable } from '../../db/errors/database-error.ts';
import { SESSION_SETTINGS } from '../../db/connection/driver.ts';
import type { Job } from './job.ts';

const POOL_SIZE = 2;
const QUERY_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 9_000;
const JOB_COLUMNS = 'id, merchant as "merchantId", endpoint_key as "endpointKey", retry_count as "retryCount"';
const TAKE_FROM_ENDPOINT = `select ${JOB_COLUMNS} from take_webhook_jobs(array[$2::integer], $1)`;
const TAKE_FROM_MERCHANTS = `select ${JOB_COLUMNS} from take_webhook_jobs(due_merchant_lanes($2, $3, $1), $1)`;
const GIVE_BACK = 'select return_webhook_jobs($1, $2)';
const REMOVE = 'select remove_webhook_jobs($1, $2)';

/** Which jobs `takeFromMerchants` takes: from lanes below `below`, and from none of `exceptLanes`. */
export type MerchantLanes = { limit: number; below: number; exceptLanes: readonly number[] };

export type Queue = {
  /** Takes due jobs from the lane of one endpoint, oldest first. */
  takeFromEndpoint(limit: number, lane: number): Promise<Job[]>;
  /** Takes due jobs from the lanes of merchants, the same number from each. */
  takeFromMerchants(lanes: MerchantLanes): Promise<Job[]>;
  /** Returns jobs without a request to the lanes of their merchants, or of their endpoints. Locked jobs are left alone. */
  giveBack(jobs: readonly Job[], to: 'merchants' | 'endpoints'): Promise<void>;
  /**
   * Removes the jobs that were taken, by their ids and retry counts. Locked jobs are left alone. A job that was released and not taken again is kept.
   * One that another worker has taken again is removed, because a release sets the retry count to 0. If that worker stops,
   * the ledger sweep finds the delivery without a job.
   */
  remove(jobs: readonly Job[]): Promise<void>;
  close(): Promise<void>;
};

type BossOptions = ConstructorParameters<typeof PgBoss>[0] & object;

/** Opens pg-boss with its own pool. Errors of its background work are logged only. */
export async function openQueue(url: string, log: Logger): Promise<Queue> {
  const boss = new PgBoss(bossOptions(url));
  boss.on('error', (error) => log[isDatabaseUnavailable(error) ? 'debug' : 'warn']({ err: error }, 'queue'));
  boss.on('warning', (warning) => log.warn({ warning }, 'queue'));
  const close = async (): Promise<void> => await boss.stop({ graceful: false });
  try {
    await boss.start();
  } catch (error) {
    await close();
    throw error;
  }
  const take = async (text: string, values: unknown[]): Promise<Job[]> =>
    (await boss.getDb().executeSql(text, values)).rows as Job[];
  return {
    takeFromEndpoint: async (limit, lane) => await take(TAKE_FROM_ENDPOINT, [limit, lane]),
    takeFromMerchants: async ({ limit, below, exceptLanes }) =>
      await take(TAKE_FROM_MERCHANTS, [limit, below, exceptLanes]),
    async giveBack(jobs, to) {
      if (jobs.length > 0) await boss.getDb().executeSql(GIVE_BACK, [jobs.map(({ id }) => id), to === 'endpoints']);
    },
    async remove(jobs) {
      const keys = [jobs.map(({ id }) => id), jobs.map(({ retryCount }) => retryCount)];
      if (jobs.length > 0) await boss.getDb().executeSql(REMOVE, keys);
    },
    close,
  };
}

function bossOptions(url: string): BossOptions {
  return {
    ...nodePostgresOptions(url),
    application_name: 'commerce-queue',
    max: POOL_SIZE,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    // A job is only a reminder. After a crash of Postgres a lost or repeated job costs one look into the ledger.
    // The server ends a statement before `query_timeout` does: the pool only closes its socket, and the statement would go
    // on in a connection of the database that nobody uses.
    options: optionsOf({ ...SESSION_SETTINGS, synchronous_commit: 'off', statement_timeout: STATEMENT_TIMEOUT_MS }),
    migrate: false,
    schedule: false,
    // Supervision would free lapsed jobs (done by release_lapsed_webhook_jobs), remove finished ones (done by
    // `remove`), count the rest (done by ledgerFigures) and warn of old snapshots (done by snapshot-watch.ts). It needs
    // the right to write all tables of the queue, which the serving role does not have.
    supervise: false,
  } as BossOptions;
}

/** Settings of a session as PostgreSQL's command-line options, in which a blank ends an option. */
function optionsOf(settings: Record<string, string | number>): string {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${String(value).replaceAll(' ', '\\ ')}`);
  return options.join(' ');
}
