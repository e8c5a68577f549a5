/** Attempts of one webhook delivery, each time it is queued, and of one picture of a bulk request. */
export const MAX_ATTEMPTS = 3;

/** The wait before the second attempt and before the third. */
export type RetryDelaysMs = readonly [number, number];

export const DEFAULT_RETRY_DELAYS_MS: RetryDelaysMs = [10_000, 60_000];

/** `attempt` is the number of the one that failed; the first is 1. */
export function isLastAttempt(attempt: number): boolean {
  return attempt >= MAX_ATTEMPTS;
}

/** The wait after a failed attempt; 0 after the last one. */
export function retryDelayMs(retryDelaysMs: RetryDelaysMs, attempt: number): number {
  return retryDelaysMs[attempt - 1] ?? 0;
}
