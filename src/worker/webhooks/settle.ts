import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../../context.ts';
import type { Database } from '../../db/connection/database.ts';
import { retryUndone } from '../../db/connection/transaction.ts';
import { Batches } from '../../limits/batches.ts';
import type { RetryDelaysMs } from '../../limits/retry-policy.ts';
import { inTrace } from '../../tracing/in-trace.ts';
import type { Tracing } from '../../tracing/span.ts';
import { DELIVERY_QUEUE } from '../../webhook/ledger/delivery-queue.ts';
import { queueRetries } from '../../webhook/ledger/queue-deliveries.ts';
import { type AttemptOutcome, settleDeliveries, type Settled } from '../../webhook/ledger/settle-deliveries.ts';
import { failUnsendable } from '../../webhook/ledger/unclaimed-deliveries.ts';
import type { Job } from './job.ts';
import { merchantContext } from '../../db/across/merchant-context.ts';
import { batchAttributes } from './poller.ts';
import type { Queue } from './queue.ts';

/** Until outcomes that could not be written are written again. */
const WRITE_AGAIN_MS = 250;

export type SettleDependencies = {
  db: Database;
  queue: Queue;
  retryDelaysMs: RetryDelaysMs;
  /** Called with a job that is to be tried again in its lane after `dueInMs`. */
  onRetry: (job: Job, dueInMs: number) => void;
  /** Jobs without slots that are due now: over the limit of bytes of one claim, claimed too late, or kept by `keepUnwritten`. */
  onDue: (jobs: Job[]) => void;
  log: Logger;
  tracing?: Tracing | undefined;
  onError: (error: unknown, work: 'settle' | 'remove') => void;
};

type Settlement = { job: Job; outcome: AttemptOutcome };

/** Writes outcomes to the ledger, for each merchant by itself, and removes the jobs that are done, both in batches. */
export class Settler {
  readonly #dependencies: SettleDependencies;
  /** Of outcomes by merchant, so that a merchant whose writes fail delays no other, and of jobs to be removed. */
  readonly #batches = new Batches({ isDeferred: true });
  /** Deliveries whose outcome waits for its first write: by their ids, the jobs that were received for them meanwhile. */
  readonly #unwritten = new Map<string, Job[]>();
  #isClosed = false;

  constructor(dependencies: SettleDependencies) {
    this.#dependencies = dependencies;
  }

  /** Resolves when the outcome is written, or given up after `close`. */
  async settle(job: Job, outcome: AttemptOutcome): Promise<void> {
    this.#unwritten.set(outcome.id, []);
    await this.#batches.run(job.merchantId, { job, outcome }, async (settlements: Settlement[]) => {
      await this.#writeUntilClosed(settlements);
      return [];
    });
  }

  /**
   * Keeps the jobs of deliveries whose outcome waits to be written, and returns the others. With one push for each of
   * thousands of merchants, a few outcomes wait for a connection until the claim has lapsed, after 15 s, and another job may
   * be made. Kept jobs are due when the outcome is written, or when the write has failed: then the next attempts follow, and
   * end also a delivery whose outcome can never be written.
   */
  keepUnwritten(jobs: readonly Job[]): Job[] {
    return jobs.filter((job) => !this.#unwritten.get(job.id)?.push(job));
  }

  /** Settles jobs whose deliveries could not be claimed: they are due now, due later, or done. */
  async settleUnclaimed(merchantId: string, jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 0) return;
    const { db, onRetry, onDue, log } = this.#dependencies;
    const ctx = merchantContext(db, merchantId);
    const ids = jobs.map(({ id }) => id);
    const { waiting, unsendable } = await retryUndone(() => failUnsendable(ctx, ids));
    for (const { reason, ids } of unsendable)
      log.warn({ merchantId, deliveryIds: ids, error: reason }, 'deliveries were given up: they can never be sent');
    const waitingById = new Map(waiting.map((delivery) => [delivery.id, delivery]));
    const removals = jobs.filter(({ id }) => !waitingById.has(id)).map((job) => this.#remove(job));
    onDue(jobs.filter(({ id }) => waitingById.get(id)?.dueInMs === 0));
    for (const job of jobs) {
      const delivery = waitingById.get(job.id);
      if (!delivery || delivery.dueInMs === 0) continue;
      const { dueInMs } = delivery;
      await queueRetries(ctx, [delivery], dueInMs);
      onRetry(job, dueInMs);
    }
    await Promise.all(removals);
  }

  async flush(): Promise<void> {
    await this.#batches.flush();
  }

  /**
   * Stops retrying. Outcomes that cannot be written after this call are left to the worker that finds the claim
   * lapsed.
   */
  close(): void {
    this.#isClosed = true;
  }

  async #writeUntilClosed(settlements: readonly Settlement[]): Promise<void> {
    for (;;) {
      try {
        return await this.#write(settlements);
      } catch (error) {
        this.#dependencies.onError(error, 'settle');
        if (this.#isClosed) return;
        await wait(WRITE_AGAIN_MS);
      } finally {
        this.#releaseUnwritten(settlements);
      }
    }
  }

  #releaseUnwritten(settlements: readonly Settlement[]): void {
    for (const { outcome } of settlements) {
      const kept = this.#unwritten.get(outcome.id) ?? [];
      this.#unwritten.delete(outcome.id);
      if (kept.length > 0) this.#dependencies.onDue(kept);
    }
  }

  async #write(settlements: readonly Settlement[]): Promise<void> {
    const { merchantId } = settlements[0]!.job;
    const { db, retryDelaysMs, onRetry, log, tracing } = this.#dependencies;
    const outcomes = settlements.map(({ outcome }) => outcome);
    const settled = await inTrace(
      tracing,
      { name: 'settle deliveries', kind: 'consumer', attributes: batchAttributes(merchantId, outcomes.length) },
      async (span) => await settleDeliveries(merchantContext(db, merchantId, span), outcomes, retryDelaysMs),
    );
    logSettled(log, merchantId, settled);
    const dueInMs = new Map(settled.retried.map((retry) => [retry.id, retry.dueInMs]));
    for (const { job } of settlements) {
      if (dueInMs.has(job.id)) onRetry(job, dueInMs.get(job.id)!);
      else void this.#remove(job);
    }
  }

  /** A job that is not removed becomes free when its claim lapses. The next worker finds its delivery settled. */
  async #remove(job: Job): Promise<void> {
    const { queue, onError } = this.#dependencies;
    await this.#batches.run(DELIVERY_QUEUE, job, async (jobs: Job[]) => {
      await queue.remove(jobs).catch((error: unknown) => onError(error, 'remove'));
      return [];
    });
  }
}

/** Logs failed deliveries and paused webhooks, without endpoints, which may contain secrets, and without payloads. */
function logSettled(log: Logger, merchantId: string, { givenUp, unsigned, pausedIds, resumedIds }: Settled): void {
  for (const { id, webhookId, attempt, log: answer } of givenUp) {
    const { statusCode, error, durationMs } = answer;
    const details = { merchantId, webhookId, deliveryId: id, attempts: attempt, statusCode, error, durationMs };
    log.warn(details, 'a delivery was given up');
  }
  if (unsigned.length > 0)
    log.warn(
      { merchantId, deliveryIds: unsigned.map(({ id }) => id) },
      'deliveries wait: the client secret of their app does not open with the SECRET_KEY of this process; see `doctor`',
    );
  for (const webhookId of pausedIds)
    log.warn({ merchantId, webhookId }, 'a webhook was paused: too many of its deliveries in a row were given up');
  for (const webhookId of resumedIds)
    log.info({ merchantId, webhookId }, 'a webhook was resumed: its endpoint has received a delivery');
}
