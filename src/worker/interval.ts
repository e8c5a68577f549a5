import { setTimeout as wait } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../db/errors/database-error.ts';
import { inTrace } from '../tracing/in-trace.ts';
import type { Span, Tracing } from '../tracing/span.ts';
import { type FailureReports, logFailure } from './log-failure.ts';

export type IntervalOptions = FailureReports & {
  name: string;
  intervalMs: number;
  /** Shorter pauses for some time after `wake`, for tasks whose notifications do not announce all work. */
  afterWake?: { readonly intervalMs: number; readonly forMs: number } | undefined;
  /** With it each run is a trace with the name of the task. */
  tracing?: Tracing | undefined;
};

/** `span` is the trace of the run, below which the task can put its statements; null without `tracing`. */
export type Task = (signal: AbortSignal, span: Span | null) => Promise<unknown>;

export type Interval = {
  /** Ends the pause, so that the task runs now. A task that is running runs once more. */
  wake(): void;
  /** Waits for a running task. */
  stop(): Promise<void>;
};

/** Runs a task until it is stopped, with a pause after each run. A failure is logged and does not end the interval. */
export function startInterval(task: Task, options: IntervalOptions): Interval {
  const { name, intervalMs, afterWake, background, tracing } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let waking = new AbortController();
  let wokenAtMs = -Infinity;
  const pauseMs = (): number =>
    afterWake && performance.now() - wokenAtMs < afterWake.forMs ? afterWake.intervalMs : intervalMs;
  const failed = (error: unknown): void => {
    logFailure(options, 'error', error, name);
    if (!isDatabaseUnavailable(error)) background?.setFailing(name, true);
  };
  const repeat = async (): Promise<void> => {
    while (!signal.aborted) {
      waking = new AbortController();
      await inTrace(tracing, { name, kind: 'internal' }, (span) => task(signal, span)).then(
        () => background?.setFailing(name, false),
        failed,
      );
      await wait(pauseMs(), undefined, { signal: AbortSignal.any([signal, waking.signal]), ref: false }).catch(
        () => undefined,
      );
    }
  };
  const ended = repeat();
  return {
    wake: () => {
      wokenAtMs = performance.now();
      waking.abort();
    },
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}
