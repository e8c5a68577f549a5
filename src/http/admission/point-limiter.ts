import type { Logger, Session } from '../../context.ts';
import { MAX_REQUEST_COST } from '../../graphql/cost/request-cost.ts';
import { HttpError } from '../protocol/problem.ts';

const MS_PER_S = 1_000;
/** How long an empty bucket takes to be full. */
const FULL_AFTER_S = 10;
/** An app's spending is shared with the other nodes when it reaches this part of its bucket, and at most so often. */
const SHARED_PART = 0.01;
const SHARED_EVERY_MS = 1_000;
/** Buckets that are full again are dropped when there are more. */
const BUCKETS_MAX = 10_000;

export type PointLimits = { maximumAvailable: number; restoreRate: number };

/** A bucket as clients know it from other services. */
export type ThrottleStatus = PointLimits & { currentlyAvailable: number };

/** Adds what an app has spent on this node to what it has on all, and answers when its bucket will be full. Both in the time that the points take to restore. */
export type ShareSpending = (app: AppKey, spentMs: number) => Promise<{ fullInMs: number }>;

/** Null where a rate of 0 says that there is no limit. */
export function pointLimits(restoreRate: number): PointLimits | null {
  return restoreRate === 0
    ? null
    : { maximumAvailable: Math.max(restoreRate * FULL_AFTER_S, MAX_REQUEST_COST), restoreRate };
}

type AppKey = Pick<Session, 'merchantId' | 'authorizedAppId'>;

type Bucket = { app: AppKey; fullAtMs: number; unsharedMs: number; sharedAtMs: number; timer: NodeJS.Timeout | null };

/**
 * A token bucket for each app. A bucket is one number, the time at which it will be full, as in the generic cell
 * rate algorithm. Nodes spend from buckets of their own and add what they have spent to one row, by at most one
 * statement a second for each app that spends much. What several nodes give too much meanwhile is in the row as
 * well and is paid back before anything else is given, so that over time all together keep to the rate.
 */
export class PointLimiter {
  readonly #limits: PointLimits;
  readonly #share: ShareSpending;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limits: PointLimits, share: ShareSpending, log: Pick<Logger, 'warn'>) {
    this.#limits = limits;
    this.#share = share;
    this.#log = log;
  }

  /** Takes points from the app's bucket, or answers the refusal when it does not hold enough. */
  take(app: AppKey, points: number): HttpError | null {
    const bucket = this.#bucketOf(app);
    const missing = points - this.#available(bucket);
    if (missing > 0) return this.#refusal(points, missing);
    const spentMs = this.#msFor(points);
    bucket.fullAtMs = Math.max(bucket.fullAtMs, performance.now()) + spentMs;
    bucket.unsharedMs += spentMs;
    if (bucket.timer === null && bucket.unsharedMs >= SHARED_PART * this.#msFor(this.#limits.maximumAvailable))
      this.#shareSoon(bucket);
    return null;
  }

  status(app: AppKey): ThrottleStatus {
    const { maximumAvailable, restoreRate } = this.#limits;
    return {
      maximumAvailable,
      currentlyAvailable: Math.max(Math.floor(this.#available(this.#bucketOf(app))), 0),
      restoreRate,
    };
  }

  close(): void {
    for (const { timer } of this.#buckets.values()) clearTimeout(timer ?? undefined);
  }

  #bucketOf(app: AppKey): Bucket {
    const known = this.#buckets.get(app.authorizedAppId);
    if (known) return known;
    if (this.#buckets.size >= BUCKETS_MAX) this.#dropFull();
    const bucket = {
      app: { merchantId: app.merchantId, authorizedAppId: app.authorizedAppId },
      fullAtMs: 0,
      unsharedMs: 0,
      sharedAtMs: -Infinity,
      timer: null,
    };
    this.#buckets.set(app.authorizedAppId, bucket);
    return bucket;
  }

  #dropFull(): void {
    const now = performance.now();
    for (const [id, { fullAtMs, timer }] of this.#buckets) {
      if (fullAtMs <= now && timer === null) this.#buckets.delete(id);
    }
  }

  #available({ fullAtMs }: Bucket): number {
    return (
      this.#limits.maximumAvailable - (Math.max(fullAtMs - performance.now(), 0) * this.#limits.restoreRate) / MS_PER_S
    );
  }

  #msFor(points: number): number {
    return (points * MS_PER_S) / this.#limits.restoreRate;
  }

  #shareSoon(bucket: Bucket): void {
    const inMs = Math.max(bucket.sharedAtMs + SHARED_EVERY_MS - performance.now(), 0);
    bucket.timer = setTimeout(() => void this.#shareNow(bucket), inMs).unref();
  }

  async #shareNow(bucket: Bucket): Promise<void> {
    const spentMs = bucket.unsharedMs;
    bucket.unsharedMs = 0;
    bucket.sharedAtMs = performance.now();
    try {
      const { fullInMs } = await this.#share(bucket.app, spentMs);
      bucket.fullAtMs = performance.now() + fullInMs + bucket.unsharedMs;
    } catch (error) {
      bucket.unsharedMs += spentMs;
      this.#log.warn(
        { err: error, authorizedAppId: bucket.app.authorizedAppId },
        'spent points are not shared with other nodes',
      );
    } finally {
      bucket.timer = null;
    }
  }

  #refusal(points: number, missing: number): HttpError {
    const { maximumAvailable, restoreRate } = this.#limits;
    const waitS = Math.ceil(missing / restoreRate);
    return new HttpError(
      429,
      `The request costs ${points} points, ${Math.ceil(missing)} more than the app has at present. Try again in ${waitS} s.`,
      {
        'retry-after': String(waitS),
        'ratelimit-policy': `"points";q=${maximumAvailable};w=${Math.ceil(maximumAvailable / restoreRate)}`,
        ratelimit: `"points";r=${Math.max(Math.floor(points - missing), 0)};t=${waitS}`,
      },
    );
  }
}
