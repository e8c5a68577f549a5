import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../context.ts';

export type Repetition = { name: string; everyMs: number; log: Logger };

/** Does the work again and again until it is stopped. A failure is logged, and the next time comes all the same. */
export function repeatedly(work: () => Promise<unknown>, { name, everyMs, log }: Repetition): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = async () => await wait(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
  const repeat = async (): Promise<void> => {
    while (!signal.aborted) {
      await work().catch((error: unknown) => log.error({ err: error, work: name }, 'will be tried again'));
      await pause();
    }
  };
  const ended = repeat();
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}
