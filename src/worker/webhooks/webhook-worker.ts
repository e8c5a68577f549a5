import { setTimeout as wait } from 'node:timers/promises';
import type { Connection } from '../../db/connection/connect.ts';
import { inspectQueue } from '../../webhook/overdue-deliveries.ts';
import { DeliveryPipeline, type PipelineNeeds } from './delivery-pipeline.ts';
import { EndpointSlots } from './endpoint-slots.ts';
import { COMMON_LANE, type Job, laneOf } from './job.ts';
import { JobIntake } from './poll.ts';
import { PayloadBudget } from './payload-budget.ts';
import { PendingJobs } from './admit.ts';
import { WakeTimer } from './wake-timer.ts';

const WAKE_UP_CHANNEL = 'webhook_delivery';
/** The payload of a notification about other lanes than the common one. */
const LANES_PAYLOAD = 'lanes';
const RETRIED_AFTER_FAILURE_MS = 250;
/** Longer than any request takes: only one that began late is cut off. */
const ABORTED_AFTER_MS = 10_500;
/** From then on a database that does not answer is no reason to wait. */
const STOPPED_WITHIN_MS = 12_000;

export type WorkerNeeds = Pick<
  PipelineNeeds,
  'queue' | 'outbound' | 'secretKey' | 'retryDelaysMs' | 'log' | 'metrics'
> & {
  connection: Pick<Connection, 'db' | 'listen'>;
};

/** Sends what is queued until it is stopped. Postgres may go away and come back meanwhile. */
export class WebhookWorker {
  readonly #needs: WorkerNeeds;
  readonly #slots = new EndpointSlots();
  readonly #budget = new PayloadBudget();
  readonly #pending = new PendingJobs(this.#slots, this.#budget);
  readonly #timer = new WakeTimer();
  readonly #aborting = new AbortController();
  readonly #intake: JobIntake;
  readonly #pipeline: DeliveryPipeline;
  #isStopping = false;
  #ended = Promise.resolve();
  #unlisten: () => Promise<void> = async () => {};

  constructor(needs: WorkerNeeds) {
    this.#needs = needs;
    const { db } = needs.connection;
    this.#intake = new JobIntake({
      queue: needs.queue,
      slots: this.#slots,
      budget: this.#budget,
      inspect: () => inspectQueue(db),
    });
    this.#pipeline = new DeliveryPipeline({
      ...needs,
      db,
      slots: this.#slots,
      budget: this.#budget,
      signal: this.#aborting.signal,
      onProgress: () => this.#wakeForSlots(),
      onUnclaimed: (jobs) => this.#pending.add(jobs),
      onRetry: (job, dueInMs) => this.#addLane(job, dueInMs),
    });
  }

  async start(): Promise<void> {
    this.#unlisten = await this.#needs.connection.listen(
      WAKE_UP_CHANNEL,
      (payload) => this.#notified(payload),
      () => this.#notified(''),
    );
    this.#ended = this.#run();
  }

  /** Requests that are under way may end. What was taken and not sent goes back to the queue, without an attempt. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#timer.wake();
    const abortion = setTimeout(() => this.#aborting.abort(), ABORTED_AFTER_MS);
    const deadline = new AbortController();
    await Promise.race([
      this.#finish(),
      wait(STOPPED_WITHIN_MS, undefined, { signal: deadline.signal }).catch(() => undefined),
    ]);
    deadline.abort();
    clearTimeout(abortion);
    this.#pipeline.close();
    this.#timer.close();
  }

  async #finish(): Promise<void> {
    await this.#ended;
    await this.#giveBack();
    await this.#pipeline.finish();
    // Claims that were under way may have left some.
    await this.#giveBack();
    await this.#unlisten().catch(() => undefined);
  }

  async #giveBack(): Promise<void> {
    await this.#pipeline
      .giveBack(this.#pending.drain(), COMMON_LANE)
      .catch((error: unknown) => this.#warn(error, 'giveBack'));
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      try {
        if (!(await this.#pass())) await this.#timer.sleep(this.#remainingMs());
      } catch (error) {
        this.#warn(error, 'take');
        this.#intake.reset();
        await this.#timer.sleep(RETRIED_AFTER_FAILURE_MS);
      }
    }
  }

  /** Takes jobs once those taken before have slots. True when there may be more to take at once. */
  async #pass(): Promise<boolean> {
    this.#admit();
    await this.#intake.poll();
    if (!this.#pending.isEmpty()) return false;
    return await this.#intake.take((jobs) => {
      this.#pending.add(jobs);
      this.#admit();
    });
  }

  #admit(): void {
    if (this.#isStopping) return;
    const { admitted, refused } = this.#pending.admit();
    this.#pipeline.dispatch(admitted);
    this.#pipeline.setAside(refused);
  }

  #remainingMs(): number {
    return this.#pending.isEmpty() ? this.#intake.remainingMs() : this.#pending.remainingMs();
  }

  #notified(payload: string): void {
    this.#intake.notify(payload === LANES_PAYLOAD);
    this.#timer.wake();
  }

  /** Wakes the loop only if something waits for a slot. */
  #wakeForSlots(): void {
    if (!this.#pending.isEmpty() || this.#intake.isWaitingForSlots()) this.#timer.wake();
  }

  /** Only a reminder: the database's clock decides whether the job is due. */
  #addLane(job: Job, dueInMs: number): void {
    const lane = laneOf(job);
    const add = (): void => this.#intake.addLane({ lane, ...job });
    if (dueInMs > 0) this.#timer.schedule(String(lane), dueInMs, add);
    else add();
  }

  #warn(error: unknown, work: string): void {
    this.#needs.log.warn({ err: error, work }, 'will be tried again');
  }
}
