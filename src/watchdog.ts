import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

/** A tenth of the limit, within these bounds: how often the event loop reports and the thread looks. */
const TICK_MIN_MS = 20;
const TICK_MAX_MS = 1_000;
/** Fields of the memory that both threads see. */
export const BEATS = 0;
export const IS_INSPECTED = 1;

export type WatchdogData = { shared: Int32Array; blockedMaxMs: number; tickMs: number; isSilent: boolean };

export type Watchdog = { stop(): Promise<void> };

type WatchdogOptions = Pick<WatchdogData, 'blockedMaxMs' | 'isSilent'> & {
  /** The thread has failed: from then on nobody watches. */
  onError: (error: Error) => void;
};

/**
 * Ends the process when its event loop has not turned for `blockedMaxMs`, so that its supervisor starts a
 * new one. A blocked loop cannot notice that itself: a thread of its own does, which takes 7 MiB of memory
 * (17 MiB where Node has no compile cache) and 40 ms of another core at the start.
 */
export function startWatchdog({ blockedMaxMs, isSilent, onError }: WatchdogOptions): Watchdog {
  const shared = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const tickMs = Math.min(Math.max(blockedMaxMs / 10, TICK_MIN_MS), TICK_MAX_MS);
  const beats = setInterval(() => beat(shared), tickMs).unref();
  beat(shared);
  const workerData: WatchdogData = { shared, blockedMaxMs, tickMs, isSilent };
  const thread = new Worker(new URL('watchdog-thread.ts', import.meta.url), { workerData, name: 'watchdog' });
  thread.on('error', onError).unref();
  return {
    stop: async () => {
      clearInterval(beats);
      await thread.terminate();
    },
  };
}

/** A breakpoint stops the loop as well: nobody is watched while an inspector is open. */
function beat(shared: Int32Array): void {
  Atomics.store(shared, IS_INSPECTED, inspectorUrl() === undefined ? 0 : 1);
  Atomics.add(shared, BEATS, 1);
}
