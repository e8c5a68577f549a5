import type { KeyObject } from 'node:crypto';
import type { Logger } from '../context.ts';
import type { Connection } from '../db/connect.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { ATTEMPTS_MAX, type ClaimedDelivery, claimDeliveries } from '../webhook/claimDeliveries.ts';
import { judgeUnclaimed } from '../webhook/judgeUnclaimed.ts';
import { inspectQueue } from '../webhook/overdueDeliveries.ts';
import { queueDeliveries } from '../webhook/queueDeliveries.ts';
import { sendDelivery } from '../webhook/sendDelivery.ts';
import { type Outcome, settleDeliveries } from '../webhook/settleDeliveries.ts';
import { openAlarm } from './alarm.ts';
import { openBatch } from './batch.ts';
import { openLobby } from './lobby.ts';
import { openPlaces } from './places.ts';
import type { Job, Queue } from './queue.ts';

const WAKE_UP_CHANNEL = 'webhook_delivery';
/** Finds what no notification told of: it got lost, or a worker died. */
const POLLED_EVERY_MS = 5_000;
/** Longer than writers wait between two notifications. */
const AWAKE_FOR_MS = 100;
const POLLED_AWAKE_EVERY_MS = 4;
const TAKEN_AT_ONCE_MAX = 100;
const SETTLED_AT_ONCE_MAX = 100;
const RETRIED_AFTER_FAILURE_MS = 250;
const COMMON_LANE = 0;
/** An attempt that waited longer for its turn might outlive its claim. */
const SENT_WITHIN_MS = 4_000;

export type WorkerNeeds = {
  connection: Pick<Connection, 'db' | 'listen'>;
  queue: Queue;
  outbound: Outbound;
  secretKey: KeyObject;
  retryDelaysMs: readonly number[];
  log: Logger;
  metrics?: { attempted(attempt: { delivered: boolean; isLast: boolean; durationMs: number }): void };
};

export type Worker = { stop(): Promise<void> };

type Settlement = { job: Job; outcome: Outcome };

/** Sends what is queued until it is stopped. Postgres may go away and come back meanwhile. */
export async function startWorker({ connection, queue, outbound, secretKey, retryDelaysMs, log, metrics }: WorkerNeeds): Promise<Worker> {
  const { db } = connection;
  const places = openPlaces();
  const lobby = openLobby(places);
  const alarm = openAlarm();
  /** Lanes that have due jobs, as far as this process knows. */
  const lanes = new Map<number, string>();
  const underWay = new Set<Promise<void>>();
  let isStopping = false;
  let wasFull = false;
  let polledAtMs = 0;
  let awakeUntilMs = 0;

  const complain = (error: unknown, work: string) => log.warn({ err: error, work }, 'will be tried again');
  const settlement = openBatch<Settlement>(settle, SETTLED_AT_ONCE_MAX, (error) => {
    complain(error, 'settle');
    return false;
  });
  const removal = openBatch<Job>((jobs) => queue.remove(jobs), SETTLED_AT_ONCE_MAX, (error) => {
    complain(error, 'remove');
    // Left alone, the job is freed when its claim lapses, and removed by whoever finds it settled.
    return true;
  });

  async function run(): Promise<void> {
    while (!isStopping) {
      try {
        if (!(await round())) await alarm.rings(restMs());
      } catch (error) {
        complain(error, 'take');
        await alarm.rings(RETRIED_AFTER_FAILURE_MS);
      }
    }
  }

  function restMs(): number {
    if (!lobby.isEmpty()) return lobby.restMs();
    return Date.now() < awakeUntilMs ? POLLED_AWAKE_EVERY_MS : polledAtMs + POLLED_EVERY_MS - Date.now();
  }

  /** Takes what may be sent now, once what was taken before is under way. True when there may be more. */
  async function round(): Promise<boolean> {
    letIn();
    wasFull = places.free() === 0;
    if (!lobby.isEmpty() || wasFull) return false;
    if (Date.now() >= polledAtMs + POLLED_EVERY_MS) {
      for (const { lane, endpoint } of await inspectQueue(db)) lanes.set(lane, endpoint);
      polledAtMs = Date.now();
    }
    const isMore = await takeFromLanes();
    const limit = Math.min(places.free(), TAKEN_AT_ONCE_MAX);
    wasFull = limit === 0;
    if (wasFull) return false;
    const jobs = await queue.take(limit, { min: COMMON_LANE });
    if (jobs.length > 0) awakeUntilMs = Date.now() + AWAKE_FOR_MS;
    lobby.enter(jobs);
    letIn();
    return isMore || jobs.length === limit;
  }

  function letIn(): void {
    const { held, aside } = lobby.leave();
    for (const [group, jobs] of Map.groupBy(aside, ({ group }) => group)) follow(setAside(group, jobs));
    dispatch(held);
  }

  async function takeFromLanes(): Promise<boolean> {
    let isMore = false;
    for (const [lane, group] of lanes) {
      const limit = Math.min(places.freeFor(group), places.free(), TAKEN_AT_ONCE_MAX);
      if (limit <= 0) continue;
      const jobs = await queue.take(limit, { min: lane, max: lane });
      if (jobs.length < limit) lanes.delete(lane);
      else isMore = true;
      lobby.enter(jobs);
      letIn();
    }
    return isMore;
  }

  /** Where nobody waits for a place, one that is given back is no reason to ask for jobs. */
  function tellOfRoom(): void {
    if (!lobby.isEmpty() || lanes.size > 0 || wasFull) alarm.ring();
  }

  /** Each of the jobs holds a place. */
  function dispatch(jobs: Job[]): void {
    for (const [merchantId, own] of Map.groupBy(jobs, ({ merchantId }) => merchantId)) follow(deliver(merchantId, own));
  }

  function follow(work: Promise<void>): void {
    const done: Promise<void> = work.catch((error: unknown) => complain(error, 'deliver')).finally(() => {
      underWay.delete(done);
      tellOfRoom();
    });
    underWay.add(done);
  }

  /** To the endpoint's own lane, out of the way of the others. */
  async function setAside(group: string, jobs: Job[]): Promise<void> {
    const lane = laneOf(group);
    await giveBack(jobs, lane);
    lanes.set(lane, group);
  }

  async function giveBack(jobs: Job[], lane: number): Promise<void> {
    for (const [merchantId, own] of Map.groupBy(jobs, ({ merchantId }) => merchantId)) {
      await queueDeliveries({ db, merchantId }, own.map(({ id, group }) => ({ id, endpoint: group })), { lane, owned: true });
    }
  }

  async function deliver(merchantId: string, jobs: Job[]): Promise<void> {
    const askedAtMs = performance.now();
    const claimed = await claimDeliveries({ db, merchantId }, jobs.map(({ id }) => id)).catch((error: unknown) => {
      for (const { group } of jobs) places.leave(group, false);
      throw error;
    });
    const isLate = performance.now() - askedAtMs > SENT_WITHIN_MS;
    const jobOf = new Map(jobs.map((job) => [job.id, job]));
    for (const delivery of claimed) {
      const job = jobOf.get(delivery.id)!;
      jobOf.delete(delivery.id);
      // Late, it is left to lapse: whoever claims it next may be at work already.
      if (isLate) places.leave(job.group, false);
      else follow(send(job, delivery));
    }
    const unclaimed = [...jobOf.values()];
    for (const { group } of unclaimed) places.leave(group, false);
    if (unclaimed.length > 0) await judge(merchantId, unclaimed);
  }

  async function send(job: Job, delivery: ClaimedDelivery): Promise<void> {
    const { id, webhookId, endpoint, attempt } = delivery;
    const { delivered, log } = await sendDelivery({ outbound, secretKey, merchantId: job.merchantId }, delivery);
    places.leave(job.group, !delivered && log.statusCode === null);
    metrics?.attempted({ delivered, isLast: attempt === ATTEMPTS_MAX, durationMs: log.durationMs ?? 0 });
    tellOfRoom();
    await settlement.add({ job, outcome: { id, webhookId, endpoint, lane: laneOf(job.group), attempt, delivered, log } });
  }

  async function settle(settlements: Settlement[]): Promise<void> {
    await Promise.all([...Map.groupBy(settlements, ({ job }) => job.merchantId)].map(async ([merchantId, own]) => {
      const again = await settleDeliveries({ db, merchantId }, own.map(({ outcome }) => outcome), retryDelaysMs);
      const retried = new Map(again.map((retry) => [retry.id, retry]));
      for (const { job } of own) {
        const retry = retried.get(job.id);
        if (retry) remind(retry.lane, job.group, retry.dueInMs);
        else void removal.add(job);
      }
    }));
  }

  async function judge(merchantId: string, jobs: Job[]): Promise<void> {
    const waiting = new Map((await judgeUnclaimed({ db, merchantId }, jobs.map(({ id }) => id))).map((row) => [row.id, row]));
    for (const job of jobs) {
      const row = waiting.get(job.id);
      if (!row) {
        await removal.add(job);
        continue;
      }
      const lane = laneOf(job.group);
      await queueDeliveries({ db, merchantId }, [row], { dueInMs: row.dueInMs, lane, owned: true });
      remind(lane, job.group, row.dueInMs);
    }
  }

  function remind(lane: number, group: string, dueInMs: number): void {
    alarm.set(String(lane), dueInMs, () => lanes.set(lane, group));
  }

  const unlisten = await connection.listen(WAKE_UP_CHANNEL, () => alarm.ring(), () => alarm.ring());
  const ended = run();
  return {
    stop: async () => {
      isStopping = true;
      alarm.ring();
      await ended;
      await giveBack(lobby.close(), COMMON_LANE).catch((error: unknown) => complain(error, 'giveBack'));
      while (underWay.size > 0) await Promise.all(underWay);
      await settlement.flushed();
      await removal.flushed();
      alarm.close();
      await unlisten().catch(() => undefined);
    },
  };
}

/** Each endpoint has a lane below the common one; two that share a lane only share its order. */
function laneOf(group: string): number {
  return -1 - (Number.parseInt(group.slice(0, 7), 16) || 0);
}
