import { type Job as BossJob, PgBoss } from 'pg-boss';
import type { Logger } from '../../context.ts';
import { isConnectionLost } from '../../db/errors/connection-lost.ts';
import { DELIVERY_QUEUE } from '../../webhook/ledger/delivery-queue.ts';
import { COMMON_LANE, deliveryJob, type Job } from './job.ts';

const POOL_SIZE = 2;
const QUERY_TIMEOUT_MS = 10_000;

export type Queue = {
  /** Takes due jobs of one lane, oldest first. */
  take(limit: number, lane: number): Promise<Job[]>;
  /** Keeps a job that was taken again after its worker lost it (its retry count has changed). */
  remove(jobs: readonly Job[]): Promise<void>;
  close(): Promise<void>;
};

type BossOptions = ConstructorParameters<typeof PgBoss>[0] & object;

/** Opens pg-boss with its own pool. Errors of its background work are logged only. */
export async function openQueue(url: string, log: Logger): Promise<Queue> {
  const boss = new PgBoss(bossOptions(url));
  boss.on('error', (error) => log[isConnectionLost(error) ? 'debug' : 'warn']({ err: error }, 'queue'));
  boss.on('warning', (warning) => log.warn({ warning }, 'queue'));
  await boss.start();
  return {
    async take(limit, lane) {
      // The common lane has the highest priority, so it needs no maximum.
      const maximum = lane === COMMON_LANE ? {} : { maxPriority: lane };
      return (await boss.fetch(DELIVERY_QUEUE, { batchSize: limit, minPriority: lane, ...maximum })).map(toJob);
    },
    async remove(jobs) {
      const keys = jobs.map(({ id, retryCount }) => ({ id, retryCount }));
      if (keys.length > 0) await boss.deleteJob(DELIVERY_QUEUE, keys);
    },
    close: () => boss.stop({ graceful: false }),
  };
}

function bossOptions(url: string): BossOptions {
  return {
    connectionString: url,
    application_name: 'commerce-queue',
    max: POOL_SIZE,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    // A job is only a reminder. After a crash of Postgres a lost or repeated job costs one look into the ledger.
    options: '-c synchronous_commit=off',
    migrate: false,
    schedule: false,
    // Supervision would free lapsed jobs (done by release_lapsed_webhook_jobs), remove finished ones (done by
    // `remove`), count the rest (done by ledgerFigures) and warn of old snapshots (done by snapshot-watch.ts). It needs
    // the right to write all tables of the queue, which the serving role does not have.
    supervise: false,
  } as BossOptions;
}

function toJob({ id, data, groupId, retryCount }: BossJob<unknown>): Job {
  return { id, merchantId: deliveryJob.parse(data).merchantId, endpointKey: groupId ?? '', retryCount };
}
