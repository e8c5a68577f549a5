import { expect, it } from 'vitest';
import { DEFAULT_RETRY_DELAYS_MS, isLastAttempt, MAX_ATTEMPTS, retryDelayMs } from '../../src/limits/retry-policy.ts';

it('allows three attempts, the second after 10 s and the third after 60 s', () => {
  expect(MAX_ATTEMPTS).toBe(3);
  expect([1, 2, 3, 4].map(isLastAttempt)).toEqual([false, false, true, true]);
  expect([1, 2, 3].map((attempt) => retryDelayMs(DEFAULT_RETRY_DELAYS_MS, attempt))).toEqual([10_000, 60_000, 0]);
});
