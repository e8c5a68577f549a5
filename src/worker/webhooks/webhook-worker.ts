import { setTimeout as wait } from 'node:timers/promises';
import type { Connection } from '../../db/connection/connect.ts';
import type { RetryDelaysMs } from '../../limits/retry-policy.ts';
import { inspectQueue } from '../../webhook/ledger/inspect-queue.ts';
import { type FailureReports, logFailure } from '../log-failure.ts';
import { PendingJobs } from './pending-jobs.ts';
import { type Claim, claim, type ClaimDependencies } from './claim.ts';
import { deliver, type DeliverDependencies } from './deliver.ts';
import { EndpointSlots } from './endpoint-slots.ts';
import { type Job, laneOf } from './job.ts';
import { PayloadBudget } from './payload-budget.ts';
import { EndpointPoller } from './poll-endpoints.ts';
import { MerchantPoller } from './poll-merchants.ts';
import { POLL_INTERVAL_MS, type Poller } from './poller.ts';
import type { Queue } from './queue.ts';
import { Settler } from './settle.ts';
import { WakeTimer } from './wake-timer.ts';

const WAKE_UP_CHANNEL = 'webhook_delivery';
/** The payload of a notification about lanes of endpoints. */
const LANES_PAYLOAD = 'lanes';
/** The pause after a failure of the queue or the database. Each further failure doubles it. */
const FIRST_RETRY_DELAY_MS = 250;
const MAX_RETRY_DELAY_MS = 2_000;
/** The time from a stop until requests are aborted. It is longer than the time limit of a request, so that few are. */
const ABORT_DELAY_MS = 10_500;
/** The longest time that a stop takes, if the database does not answer. */
const STOP_TIMEOUT_MS = 12_000;

export type WorkerDependencies = Pick<DeliverDependencies, 'outbound' | 'secretKey' | 'metrics' | 'tracing'> &
  FailureReports & {
    connection: Pick<Connection, 'db' | 'listen'>;
    queue: Queue;
    retryDelaysMs: RetryDelaysMs;
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
  /** Two loops, so that no merchant's new jobs wait for the lanes of endpoints, of which there may be thousands. */
  readonly #merchantsTimer = new WakeTimer();
  readonly #endpointsTimer = new WakeTimer();
  readonly #aborting = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #stepDependencies: ClaimDependencies & DeliverDependencies;
  readonly #merchants: MerchantPoller;
  readonly #endpoints: EndpointPoller;
  readonly #settler: Settler;
  #isStopping = false;
  #ended = Promise.resolve();
  #unlisten: () => Promise<void> = async () => {};

  constructor(dependencies: WorkerDependencies) {
    this.#dependencies = dependencies;
    const { connection, queue, retryDelaysMs, tracing } = dependencies;
    const { db } = connection;
    const [slots, budget, pending] = [this.#slots, this.#budget, this.#pending];
    this.#stepDependencies = { ...dependencies, db, slots, budget };
    this.#merchants = new MerchantPoller({ queue, slots, pending, tracing });
    this.#endpoints = new EndpointPoller({
      queue,
      slots,
      budget,
      tracing,
      inspect: (below) => inspectQueue(db, below),
      onInspected: () => this.#notified(''),
    });
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
      () => this.#notifiedOfAll(),
    );
    const endpoints = this.#run(this.#endpoints, this.#endpointsTimer);
    this.#ended = Promise.all([this.#run(this.#merchants, this.#merchantsTimer), endpoints]).then(() => undefined);
  }

  /** Polls often for some time. */
  expectJobs(): void {
    this.#merchants.expectJobs();
    this.#merchantsTimer.wake();
  }

  /** Lets requests that are under way end. Jobs without a request return to the queue and lose no attempt. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#wake();
    const abortion = setTimeout(() => this.#aborting.abort(), ABORT_DELAY_MS);
    const deadline = new AbortController();
    await Promise.race([
      this.#finish(),
      wait(STOP_TIMEOUT_MS, undefined, { signal: deadline.signal }).catch(() => undefined),
    ]);
    deadline.abort();
    clearTimeout(abortion);
    this.#settler.close();
    this.#endpointsTimer.close();
  }

  async #run(poller: Poller, timer: WakeTimer): Promise<void> {
    let retryDelayMs = FIRST_RETRY_DELAY_MS;
    while (!this.#isStopping) {
      try {
        this.#admit();
        const isMore = await poller.poll((jobs) => this.#receive(jobs));
        retryDelayMs = FIRST_RETRY_DELAY_MS;
        if (!isMore) await timer.sleep(Math.min(poller.remainingMs(), this.#pending.remainingMs(), POLL_INTERVAL_MS));
      } catch (error) {
        this.#warn(error, 'take');
        poller.notify();
        await timer.sleep(retryDelayMs);
        retryDelayMs = Math.min(2 * retryDelayMs, MAX_RETRY_DELAY_MS);
      }
    }
  }

  #receive(jobs: readonly Job[]): void {
    this.#pending.add(this.#settler.keepUnwritten(jobs));
    this.#admit();
  }

  /** Gives slots to pending jobs. Jobs that got none in time go to the lane of their endpoint. */
  #admit(): void {
    if (this.#isStopping) return;
    const { admitted, refused } = this.#pending.admit();
    for (const [merchantId, jobs] of Map.groupBy(admitted, (job) => job.merchantId))
      this.#track(this.#claim(merchantId, jobs));
    if (refused.length > 0) this.#track(this.#moveToLanes(refused));
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

  /** In one statement, however many endpoints the jobs are for. */
  async #moveToLanes(jobs: readonly Job[]): Promise<void> {
    await this.#dependencies.queue.giveBack(jobs, 'endpoints');
    for (const job of jobs) this.#addLane(job, 0);
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
    const jobs = this.#pending.drain();
    await this.#dependencies.queue.giveBack(jobs, 'merchants').catch((error: unknown) => this.#warn(error, 'giveBack'));
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

  #notified(payload: string): void {
    const [poller, timer] =
      payload === LANES_PAYLOAD ? [this.#endpoints, this.#endpointsTimer] : [this.#merchants, this.#merchantsTimer];
    poller.notify();
    timer.wake();
  }

  #notifiedOfAll(): void {
    this.#endpoints.notify();
    this.#merchants.notify();
    this.#wake();
  }

  #wake(): void {
    this.#merchantsTimer.wake();
    this.#endpointsTimer.wake();
  }

  /** Wakes a loop only if something waits for a slot. */
  #wakeForSlots(): void {
    if (!this.#pending.isEmpty() || this.#merchants.isWaitingForSlots()) this.#merchantsTimer.wake();
    if (this.#endpoints.isWaitingForSlots()) this.#endpointsTimer.wake();
  }

  /** Adds a lane when one of its jobs should be due. The clock of the database decides whether the job is due. */
  #addLane(job: Job, dueInMs: number): void {
    const { merchantId, endpointKey } = job;
    const lane = laneOf(job);
    const add = (): void => this.#endpoints.addLane({ lane, merchantId, endpointKey });
    if (dueInMs > 0) this.#endpointsTimer.schedule(String(lane), dueInMs, add);
    else add();
  }

  #warn(error: unknown, work: string): void {
    logFailure(this.#dependencies, 'warn', error, work);
  }
}
