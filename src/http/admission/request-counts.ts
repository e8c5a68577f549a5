import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import { LRUCache } from 'lru-cache';

export const RATE_LIMIT_WINDOW_MS = 60_000;
/** Clients that are counted. The one that was counted least recently is forgotten first. */
const MAX_CLIENTS = 5_000;

/**
 * Counts the requests of each client in windows of a minute, by the monotonic clock of `lru-cache`. The store of
 * @fastify/rate-limit counts by `Date.now`: after the clock is set back by an hour, its windows last an hour longer.
 */
export class RequestCounts implements FastifyRateLimitStore {
  readonly #counts = new LRUCache<string, { current: number }>({ max: MAX_CLIENTS, ttl: RATE_LIMIT_WINDOW_MS });

  incr(client: string, callback: Parameters<FastifyRateLimitStore['incr']>[1]): void {
    const count = this.#counts.get(client) ?? { current: 0 };
    count.current += 1;
    if (count.current === 1) this.#counts.set(client, count);
    callback(null, { current: count.current, ttl: this.#counts.getRemainingTTL(client) });
  }

  /** For routes with limits of their own. */
  child(): FastifyRateLimitStore {
    return new RequestCounts();
  }
}
