import { PgBoss } from 'pg-boss';
import type { Logger } from '../../context.ts';
import type { Database } from '../../db/connection/connect.ts';
import { COMMON_LANE, deliveryJob, type Job } from './job.ts';

const QUEUE = 'webhook-delivery';
const CONNECTIONS_MAX = 2;
const QUERY_TIMEOUT_MS = 10_000;

export type Queue = {
  /** Takes due jobs of one lane, the oldest first. */
  take(limit: number, lane: number): Promise<Job[]>;
  /** A job whose claim has lapsed is somebody else's and stays. */
  remove(jobs: readonly Job[]): Promise<void>;
  close(): Promise<void>;
};

/** Opens pg-boss on connections of its own. Errors of its background work are logged, and it goes on. */
export async function openQueue(url: string, log: Logger): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'commerce-queue',
    max: CONNECTIONS_MAX,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    // A job is a reminder: one that a crash of Postgres brings back, or takes from its worker, costs a look into the ledger.
    options: '-c synchronous_commit=off',
    migrate: false,
    schedule: false,
    // Its supervision frees lapsed jobs, removes finished ones and counts the rest. The first is done by
    // release_lapsed_webhook_jobs, the second by `remove`, the last by countWaiting; snapshot-watch.ts warns of old
    // snapshots. It would have to write all tables of the queue, which the role of the service may not.
    supervise: false,
  } as ConstructorParameters<typeof PgBoss>[0] & object);
  boss.on('error', (error) => log.warn({ err: error }, 'queue'));
  boss.on('warning', (warning) => log.warn({ warning }, 'queue'));
  await boss.start();
  return {
    async take(limit, lane) {
      // No lane lies above the common one.
      const jobs = await boss.fetch(QUEUE, {
        batchSize: limit,
        minPriority: lane,
        ...(lane !== COMMON_LANE && { maxPriority: lane }),
      });
      return jobs.map((job) => ({
        id: job.id,
        merchantId: deliveryJob.parse(job.data).merchantId,
        endpointKey: job.groupId ?? '',
        retryCount: job.retryCount,
      }));
    },
    async remove(jobs) {
      if (jobs.length > 0)
        await boss.deleteJob(
          QUEUE,
          jobs.map(({ id, retryCount }) => ({ id, retryCount })),
        );
    },
    close: () => boss.stop({ graceful: false }),
  };
}

/** Without its row in the queue's own table, changes that webhooks wait for are refused. */
export async function hasQueue(db: Database): Promise<boolean> {
  return (await db.execute(`select from pgboss.queue where name = '${QUEUE}'`)).length === 1;
}
