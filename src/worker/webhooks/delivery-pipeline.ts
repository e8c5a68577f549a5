import type { KeyObject } from 'node:crypto';
import type { Logger } from '../../context.ts';
import type { Database } from '../../db/connection/connect.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { ATTEMPTS_MAX, type ClaimedDelivery, claimDeliveries } from '../../webhook/claim-deliveries.ts';
import { judgeUnclaimed } from '../../webhook/unclaimed-deliveries.ts';
import { queueDeliveries } from '../../webhook/queue-deliveries.ts';
import { sendDelivery } from '../../webhook/send-delivery.ts';
import { type Outcome, settleDeliveries } from '../../webhook/settle-deliveries.ts';
import type { EndpointSlots } from './endpoint-slots.ts';
import { COMMON_LANE, type Job, laneOf } from './job.ts';
import { MicroBatcher } from './micro-batcher.ts';
import type { PayloadBudget } from './payload-budget.ts';
import type { Queue } from './queue.ts';

const SETTLED_AT_ONCE_MAX = 100;
/** An attempt that waited longer for its claim might outlive it. */
const CLAIMED_WITHIN_MS = 4_000;

export type PipelineNeeds = {
  db: Database;
  queue: Queue;
  slots: EndpointSlots;
  budget: PayloadBudget;
  outbound: Outbound;
  secretKey: KeyObject;
  retryDelaysMs: readonly number[];
  log: Logger;
  metrics?: { attempted(attempt: { delivered: boolean; isLast: boolean; durationMs: number }): void };
  /** Requests that are under way when it aborts end at once. */
  signal: AbortSignal;
  /** Called when something has ended: a slot may be free. */
  onProgress: () => void;
  /** Their deliveries were more bytes than a claim takes: they have no slots any more and are to be admitted again. */
  onUnclaimed: (jobs: Job[]) => void;
  /** The job is due again in its lane. */
  onRetry: (job: Job, dueInMs: number) => void;
};

type Settlement = { job: Job; outcome: Outcome };

/** What happens to a job that has a slot: its delivery is claimed, sent and settled. */
export class DeliveryPipeline {
  readonly #needs: PipelineNeeds;
  readonly #underWay = new Set<Promise<void>>();
  readonly #settlements: MicroBatcher<Settlement>;
  readonly #removals: MicroBatcher<Job>;

  constructor(needs: PipelineNeeds) {
    this.#needs = needs;
    this.#settlements = new MicroBatcher({
      write: (items) => this.#settle(items),
      sizeMax: SETTLED_AT_ONCE_MAX,
      givesUp: (error) => this.#warn(error, 'settle', false),
    });
    // A job that is not removed is freed when its claim lapses, and removed by whoever finds its delivery settled.
    this.#removals = new MicroBatcher({
      write: (jobs) => needs.queue.remove(jobs),
      sizeMax: SETTLED_AT_ONCE_MAX,
      givesUp: (error) => this.#warn(error, 'remove', true),
    });
  }

  /** Each of the jobs has a slot. */
  dispatch(jobs: readonly Job[]): void {
    for (const [merchantId, own] of Map.groupBy(jobs, (job) => job.merchantId))
      this.#follow(this.#claim(merchantId, own));
  }

  /** Writes jobs for which there is no slot to the lanes of their endpoints, out of the way of others. */
  setAside(jobs: readonly Job[]): void {
    for (const [lane, own] of Map.groupBy(jobs, laneOf)) {
      this.#follow(this.giveBack(own, lane).then(() => this.#needs.onRetry(own[0]!, 0)));
    }
  }

  async giveBack(jobs: readonly Job[], lane: number): Promise<void> {
    for (const [merchantId, own] of Map.groupBy(jobs, (job) => job.merchantId)) {
      await queueDeliveries(
        { db: this.#needs.db, merchantId },
        own.map(({ id, endpointKey }) => ({ id, endpoint: endpointKey })),
        { lane, owned: true },
      );
    }
  }

  /** Resolves when everything that is under way has ended and is written. */
  async finish(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    await this.#settlements.flush();
    await this.#removals.flush();
  }

  /** What cannot be written from now on is left to whoever finds it unfinished. */
  close(): void {
    this.#settlements.close();
    this.#removals.close();
  }

  async #claim(merchantId: string, jobs: readonly Job[]): Promise<void> {
    const { db, slots, budget } = this.#needs;
    budget.reserve(merchantId);
    const askedAtMs = performance.now();
    const claimed = claimDeliveries(
      { db, merchantId },
      jobs.map(({ id }) => id),
    ).catch((error: unknown) => {
      for (const job of jobs) slots.release(job);
      budget.hold(merchantId, []);
      throw error;
    });
    const unclaimed = this.#deliver(merchantId, jobs, await claimed, askedAtMs);
    if (unclaimed.length > 0) await this.#judge(merchantId, unclaimed);
  }

  /** Sends what was claimed, and answers the jobs of the rest. */
  #deliver(merchantId: string, jobs: readonly Job[], claimed: readonly ClaimedDelivery[], askedAtMs: number): Job[] {
    const { slots, budget } = this.#needs;
    const isLate = performance.now() - askedAtMs > CLAIMED_WITHIN_MS;
    const sizes = claimed.map(({ data }) => Buffer.byteLength(data));
    budget.hold(merchantId, isLate ? [] : sizes);
    const unclaimed = new Map(jobs.map((job) => [job.id, job]));
    for (const [index, delivery] of claimed.entries()) {
      const job = unclaimed.get(delivery.id)!;
      unclaimed.delete(delivery.id);
      // A late one is left to lapse: somebody else may claim it at any moment.
      if (isLate) slots.release(job);
      else
        this.#follow(
          this.#send(job, delivery, sizes[index]!).then(
            async (outcome) => await this.#settlements.add({ job, outcome }),
          ),
        );
    }
    for (const job of unclaimed.values()) slots.release(job);
    return [...unclaimed.values()];
  }

  /** Makes the request. Nobody holds the payload when it has ended. */
  async #send(job: Job, delivery: ClaimedDelivery, bytes: number): Promise<Outcome> {
    const { outbound, secretKey, slots, budget, metrics, signal, onProgress } = this.#needs;
    const { id, webhookId, endpoint, attempt } = delivery;
    const { delivered, log } = await sendDelivery(
      { outbound, secretKey, merchantId: job.merchantId, signal },
      delivery,
    );
    slots.release(job, !delivered && log.statusCode === null);
    budget.release(job.merchantId, bytes);
    metrics?.attempted({ delivered, isLast: attempt === ATTEMPTS_MAX, durationMs: log.durationMs ?? 0 });
    onProgress();
    return { id, webhookId, endpoint, lane: delivered ? COMMON_LANE : laneOf(job), attempt, delivered, log };
  }

  async #settle(settlements: readonly Settlement[]): Promise<void> {
    const { db, retryDelaysMs, onRetry } = this.#needs;
    await Promise.all(
      [...Map.groupBy(settlements, ({ job }) => job.merchantId)].map(async ([merchantId, own]) => {
        const retries = await settleDeliveries(
          { db, merchantId },
          own.map(({ outcome }) => outcome),
          retryDelaysMs,
        );
        const dueInMs = new Map(retries.map((retry) => [retry.id, retry.dueInMs]));
        for (const { job } of own) {
          if (dueInMs.has(job.id)) onRetry(job, dueInMs.get(job.id)!);
          else void this.#removals.add(job);
        }
      }),
    );
  }

  /** Decides about jobs whose deliveries could not be claimed. */
  async #judge(merchantId: string, jobs: readonly Job[]): Promise<void> {
    const { db, onRetry, onUnclaimed } = this.#needs;
    const waiting = new Map(
      (
        await judgeUnclaimed(
          { db, merchantId },
          jobs.map(({ id }) => id),
        )
      ).map((row) => [row.id, row]),
    );
    const removals = jobs.filter(({ id }) => !waiting.has(id)).map(async (job) => await this.#removals.add(job));
    onUnclaimed(jobs.filter(({ id }) => waiting.get(id)?.dueInMs === 0));
    for (const job of jobs) {
      const row = waiting.get(job.id);
      if (!row || row.dueInMs === 0) continue;
      await queueDeliveries({ db, merchantId }, [row], { dueInMs: row.dueInMs, lane: laneOf(job), owned: true });
      onRetry(job, row.dueInMs);
    }
    await Promise.all(removals);
  }

  #follow(work: Promise<void>): void {
    const done: Promise<void> = work
      .catch((error: unknown) => void this.#warn(error, 'deliver', true))
      .finally(() => {
        this.#underWay.delete(done);
        this.#needs.onProgress();
      });
    this.#underWay.add(done);
  }

  #warn(error: unknown, work: string, givesUp: boolean): boolean {
    this.#needs.log.warn({ err: error, work }, 'will be tried again');
    return givesUp;
  }
}
