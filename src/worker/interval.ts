import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../context.ts';
import { logFailure } from './log-failure.ts';

export type IntervalOptions = { name: string; intervalMs: number; log: Logger };

export type Interval = {
  /** Ends the pause, so that the task runs now. A task that is running runs once more. */
  wake(): void;
  /** Waits for a running task. */
  stop(): Promise<void>;
};

/** Runs a task until it is stopped, with a pause after each run. A failure is logged and does not end the interval. */
export function startInterval(
  task: (signal: AbortSignal) => Promise<unknown>,
  { name, intervalMs, log }: IntervalOptions,
): Interval {
  const stopping = new AbortController();
  const { signal } = stopping;
  let waking = new AbortController();
  const repeat = async (): Promise<void> => {
    while (!signal.aborted) {
      waking = new AbortController();
      await task(signal).catch((error: unknown) => logFailure(log, 'error', error, name));
      await wait(intervalMs, undefined, { signal: AbortSignal.any([signal, waking.signal]), ref: false }).catch(
        () => undefined,
      );
    }
  };
  const ended = repeat();
  return {
    wake: () => waking.abort(),
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}
