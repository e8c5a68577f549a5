import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../context.ts';

export type Repetition = { name: string; everyMs: number; log: Logger };

export type Repeating = {
  /** Does the work now instead of at the end of the pause; once more if it is being done. */
  wake(): void;
  stop(): Promise<void>;
};

/** Does the work again and again until it is stopped. A failure is logged, and the next time comes all the same. */
export function repeatedly(
  work: (signal: AbortSignal) => Promise<unknown>,
  { name, everyMs, log }: Repetition,
): Repeating {
  const stopping = new AbortController();
  const { signal } = stopping;
  let waking = new AbortController();
  const repeat = async (): Promise<void> => {
    while (!signal.aborted) {
      waking = new AbortController();
      await work(signal).catch((error: unknown) => log.error({ err: error, work: name }, 'will be tried again'));
      await wait(everyMs, undefined, { signal: AbortSignal.any([signal, waking.signal]), ref: false }).catch(
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
