import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../../context.ts';
import type { Connection } from '../../db/connection/connect.ts';
import type { RetryDelaysMs } from '../../retry-policy.ts';
import { inspectQueue } from '../../webhook/ledger/overdue-deliveries.ts';
import { queueDeliveries } from '../../webhook/ledger/queue-deliveries.ts';
import { logFailure } from '../log-failure.ts';
import { PendingJobs } from './admit.ts';
import { type Claim, claim, type ClaimDependencies } from './claim.ts';
import { deliver, type DeliverDependencies } from './deliver.ts';
import { EndpointSlots } from './endpoint-slots.ts';
import { COMMON_LANE, type Job, laneOf } from './job.ts';
import { PayloadBudget } from './payload-budget.ts';
import { JobPoller } from './poll.ts';
import type { Queue } from './queue.ts';
import { Settler } from './settle.ts';
import { WakeTimer } from './wake-timer.ts';

const WAKE_UP_CHANNEL = 'webhook_delivery';
/** The payload of a notification about other lanes than the common one. */
const LANES_PAYLOAD = 'lanes';
/** The pause after a failure of the queue or the database. Each further failure doubles it. */
const FIRST_RETRY_DELAY_MS = 250;
const MAX_RETRY_DELAY_MS = 2_000;
/** The time from a stop until requests are aborted. It is longer than the time limit of a request, so that few are. */
const ABORT_DELAY_MS = 10_500;
/** The longest time that a stop takes, if the database does not answer. */
const STOP_TIMEOUT_MS = 12_000;

export type WorkerDependencies = Pick<DeliverDependencies, 'outbound' | 'secretKey' | 'metrics' | 'tracing'> & {
  connection: Pick<Connection, 'db' | 'listen'>;
  queue: Queue;
  retryDelaysMs: RetryDelaysMs;
  log: Logger;
};

/**
 * Sends queued deliveries until it is stopped, also after Postgres was away. A delivery passes five steps: poll, admit,
 * claim, deliver, settle. The queue is only a reminder; the ledger (`webhook_delivery`) decides in `claim` whether a
 * request may be made.
 */
export class WebhookWorker {
  readonly #dependencies: WorkerDependencies;
  readonly #slots = new EndpointSlots();
  readonly #budget = new PayloadBudget();
  readonly #pending = new PendingJobs(this.#slots, this.#budget);
  readonly #timer = new WakeTimer();
  readonly #aborting = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #stepDependencies: ClaimDependencies & DeliverDependencies;
  readonly #poller: JobPoller;
  readonly #settler: Settler;
  #isStopping = false;
  #ended = Promise.resolve();
  #unlisten: () => Promise<void> = async () => {};

  constructor(dependencies: WorkerDependencies) {
    this.#dependencies = dependencies;
    const { connection, queue, retryDelaysMs, tracing } = dependencies;
    const { db } = connection;
    const [slots, budget] = [this.#slots, this.#budget];
    this.#stepDependencies = { ...dependencies, db, slots, budget };
    this.#poller = new JobPoller({ queue, slots, budget, tracing, inspect: () => inspectQueue(db) });
    this.#settler = new Settler({
      db,
      queue,
      retryDelaysMs,
      log: dependencies.log,
      tracing,
      onRetry: (job, dueInMs) => this.#addLane(job, dueInMs),
      onDue: (jobs) => this.#pending.add(jobs),
      onError: (error, work) => this.#warn(error, work),
    });
  }

  async start(): Promise<void> {
    this.#unlisten = await this.#dependencies.connection.listen(
      WAKE_UP_CHANNEL,
      (payload) => this.#notified(payload),
      () => this.#notified(''),
    );
    this.#ended = this.#run();
  }

  /** Lets requests that are under way end. Jobs without a request return to the queue and lose no attempt. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#timer.wake();
    const abortion = setTimeout(() => this.#aborting.abort(), ABORT_DELAY_MS);
    const deadline = new AbortController();
    await Promise.race([
      this.#finish(),
      wait(STOP_TIMEOUT_MS, undefined, { signal: deadline.signal }).catch(() => undefined),
    ]);
    deadline.abort();
    clearTimeout(abortion);
    this.#settler.close();
    this.#timer.close();
  }

  async #run(): Promise<void> {
    let retryDelayMs = FIRST_RETRY_DELAY_MS;
    while (!this.#isStopping) {
      try {
        const isMore = await this.#poll();
        retryDelayMs = FIRST_RETRY_DELAY_MS;
        if (!isMore) await this.#timer.sleep(this.#remainingMs());
      } catch (error) {
        this.#warn(error, 'take');
        this.#poller.reset();
        await this.#timer.sleep(retryDelayMs);
        retryDelayMs = Math.min(2 * retryDelayMs, MAX_RETRY_DELAY_MS);
      }
    }
  }

  /** Takes jobs from the queue, unless jobs taken before still wait for slots. True when there may be more. */
  async #poll(): Promise<boolean> {
    this.#admit();
    await this.#poller.findLanes();
    if (!this.#pending.isEmpty()) return false;
    return await this.#poller.poll((jobs) => {
      this.#pending.add(jobs);
      this.#admit();
    });
  }

  /** Gives slots to pending jobs. Jobs that got none in time go to the lane of their endpoint. */
  #admit(): void {
    if (this.#isStopping) return;
    const { admitted, refused } = this.#pending.admit();
    for (const [merchantId, jobs] of Map.groupBy(admitted, (job) => job.merchantId))
      this.#track(this.#claim(merchantId, jobs));
    for (const [lane, jobs] of Map.groupBy(refused, laneOf)) this.#track(this.#moveToLane(jobs, lane));
  }

  /** Counts an attempt in the ledger for each delivery before its request. */
  async #claim(merchantId: string, jobs: readonly Job[]): Promise<void> {
    const { claims, unclaimed } = await claim(this.#stepDependencies, merchantId, jobs);
    for (const one of claims) this.#track(this.#deliver(one));
    await this.#settler.settleUnclaimed(merchantId, unclaimed);
  }

  /** Makes the request, then writes its outcome: delivered, to be tried again, or failed. */
  async #deliver(claim: Claim): Promise<void> {
    const outcome = await deliver(this.#stepDependencies, claim, this.#aborting.signal);
    this.#wakeForSlots();
    await this.#settler.settle(claim.job, outcome);
  }

  async #moveToLane(jobs: readonly Job[], lane: number): Promise<void> {
    await this.#requeue(jobs, lane);
    this.#addLane(jobs[0]!, 0);
  }

  async #requeue(jobs: readonly Job[], lane: number): Promise<void> {
    const { db } = this.#dependencies.connection;
    for (const [merchantId, own] of Map.groupBy(jobs, (job) => job.merchantId)) {
      const deliveries = own.map(({ id, endpointKey }) => ({ id, endpoint: endpointKey }));
      await queueDeliveries({ db, merchantId }, deliveries, { lane, owned: true });
    }
  }

  async #finish(): Promise<void> {
    await this.#ended;
    await this.#requeuePending();
    while (this.#running.size > 0) await Promise.all(this.#running);
    await this.#settler.flush();
    // A claim that ended during the stop may have returned jobs to the pending ones.
    await this.#requeuePending();
    await this.#unlisten().catch(() => undefined);
  }

  async #requeuePending(): Promise<void> {
    await this.#requeue(this.#pending.drain(), COMMON_LANE).catch((error: unknown) => this.#warn(error, 'giveBack'));
  }

  #track(work: Promise<void>): void {
    const done: Promise<void> = work
      .catch((error: unknown) => this.#warn(error, 'deliver'))
      .finally(() => {
        this.#running.delete(done);
        this.#wakeForSlots();
      });
    this.#running.add(done);
  }

  #remainingMs(): number {
    return this.#pending.isEmpty() ? this.#poller.remainingMs() : this.#pending.remainingMs();
  }

  #notified(payload: string): void {
    this.#poller.notify(payload === LANES_PAYLOAD);
    this.#timer.wake();
  }

  /** Wakes the loop only if something waits for a slot. */
  #wakeForSlots(): void {
    if (!this.#pending.isEmpty() || this.#poller.isWaitingForSlots()) this.#timer.wake();
  }

  /** Adds a lane when one of its jobs should be due. The clock of the database decides whether the job is due. */
  #addLane(job: Job, dueInMs: number): void {
    const lane = laneOf(job);
    const add = (): void => this.#poller.addLane({ lane, ...job });
    if (dueInMs > 0) this.#timer.schedule(String(lane), dueInMs, add);
    else add();
  }

  #warn(error: unknown, work: string): void {
    logFailure(this.#dependencies.log, 'warn', error, work);
  }
}
