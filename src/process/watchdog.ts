import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { siblingModule } from '../installation/sibling-module.ts';

/** Bounds of the tick, which is a tenth of the limit: the event loop reports and the thread checks once per tick. */
const MIN_TICK_MS = 20;
const MAX_TICK_MS = 1_000;
/** Indexes in the memory that both threads share. */
export const HEARTBEATS = 0;
export const IS_INSPECTED = 1;

export type WatchdogData = { shared: Int32Array; maxBlockedMs: number; tickMs: number; isSilent: boolean };

export type Watchdog = { stop(): Promise<void> };

type WatchdogOptions = Pick<WatchdogData, 'maxBlockedMs' | 'isSilent'> & {
  /** Called if the thread fails. Nothing watches the event loop then. */
  onError: (error: Error) => void;
};

/**
 * Ends the process if its event loop is blocked for `maxBlockedMs`, so that its supervisor starts a new one. Runs in a
 * worker thread, since a blocked event loop cannot notice it. The thread takes 7 MiB of memory (17 MiB without Node's
 * compile cache), and 40 ms of another core at the start.
 */
export function startWatchdog({ maxBlockedMs, isSilent, onError }: WatchdogOptions): Watchdog {
  const shared = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const tickMs = Math.min(Math.max(maxBlockedMs / 10, MIN_TICK_MS), MAX_TICK_MS);
  const heartbeats = setInterval(() => heartbeat(shared), tickMs).unref();
  heartbeat(shared);
  const workerData: WatchdogData = { shared, maxBlockedMs, tickMs, isSilent };
  const thread = new Worker(siblingModule(import.meta.url, 'watchdog-thread'), { workerData, name: 'watchdog' });
  thread.on('error', onError).unref();
  return {
    stop: async () => {
      clearInterval(heartbeats);
      await thread.terminate();
    },
  };
}

/** A breakpoint blocks the event loop too, so nothing is checked while an inspector is open. */
function heartbeat(shared: Int32Array): void {
  Atomics.store(shared, IS_INSPECTED, inspectorUrl() === undefined ? 0 : 1);
  Atomics.add(shared, HEARTBEATS, 1);
}
