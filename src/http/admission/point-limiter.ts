import type { Logger, Session } from '../../context.ts';
import { MAX_REQUEST_COST } from '../../graphql/cost/request-cost.ts';
import { isDatabaseUnavailable } from '../../db/errors/database-error.ts';
import { HttpError } from '../protocol/problem.ts';

const MS_PER_S = 1_000;
/** How long an empty bucket takes to refill. */
const REFILL_S = 10;
/**
 * What an app spends is shared with other nodes when it reaches this fraction of its bucket, at most once per interval.
 */
const SHARED_FRACTION = 0.01;
const SHARE_INTERVAL_MS = 1_000;
/** When there are more, full buckets are dropped. */
const MAX_BUCKETS = 10_000;

export type PointLimits = { maximumAvailable: number; restoreRate: number };

/** `extensions.cost.throttleStatus`, in the form that Shopify's API made common. */
export type ThrottleStatus = PointLimits & { currentlyAvailable: number };

/**
 * Adds what an app has spent on this node to its row in the database, and returns when the shared bucket will be full.
 * Both are expressed as the time that the points take to refill.
 */
export type ShareSpending = (app: AppKey, spentMs: number) => Promise<{ fullInMs: number }>;

/** The limits for a rate at which points are restored; null for the rate 0, which means no limit. */
export function pointLimits(restoreRate: number): PointLimits | null {
  return restoreRate === 0
    ? null
    : { maximumAvailable: Math.max(restoreRate * REFILL_S, MAX_REQUEST_COST), restoreRate };
}

type AppKey = Pick<Session, 'merchantId' | 'authorizedAppId'>;

type Bucket = { app: AppKey; fullAtMs: number; unsharedMs: number; sharedAtMs: number; timer: NodeJS.Timeout | null };

/**
 * One token bucket per app. A bucket is stored as the time at which it will be full, as in the generic cell rate
 * algorithm. Each node spends from its own bucket, and adds what it has spent to one row per app, with at most one
 * statement a second. Several nodes may together spend more than the bucket holds until they share; the row then holds
 * the debt, which is repaid first, so that on average all nodes together keep the rate.
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

  /** Takes points from the app's bucket. Returns the refusal if it holds too few. */
  spend(app: AppKey, points: number): HttpError | null {
    const bucket = this.#bucketOf(app);
    const missing = points - this.#available(bucket);
    if (missing > 0) return this.#refusal(points, missing);
    const spentMs = this.#msFor(points);
    bucket.fullAtMs = Math.max(bucket.fullAtMs, performance.now()) + spentMs;
    bucket.unsharedMs += spentMs;
    if (bucket.timer === null && bucket.unsharedMs >= SHARED_FRACTION * this.#msFor(this.#limits.maximumAvailable))
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
    if (this.#buckets.size >= MAX_BUCKETS) this.#dropFull();
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
    const inMs = Math.max(bucket.sharedAtMs + SHARE_INTERVAL_MS - performance.now(), 0);
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
      // OutageLog writes one line for all of them.
      if (isDatabaseUnavailable(error)) return;
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
