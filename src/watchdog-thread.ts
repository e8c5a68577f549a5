import { write } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { BEATS, IS_INSPECTED, type WatchdogData } from './watchdog.ts';

const STDOUT = 1;
/** A full pipe may be what blocks the loop: the process ends without the line then. */
const WRITE_TIMEOUT_MS = 1_000;

const { shared, blockedMaxMs, tickMs, isSilent } = workerData as WatchdogData;
let beats = 0;
let blockedMs = 0;
let tickedAtMs = performance.now();

const ticks = setInterval(() => {
  const elapsedMs = performance.now() - tickedAtMs;
  tickedAtMs += elapsedMs;
  const isBeating = Atomics.load(shared, BEATS) !== beats || Atomics.load(shared, IS_INSPECTED) === 1;
  beats = Atomics.load(shared, BEATS);
  // A machine that sleeps and SIGSTOP stop this thread too: a long gap between its own ticks is not the loop's fault.
  blockedMs = isBeating ? 0 : blockedMs + Math.min(elapsedMs, 2 * tickMs);
  if (blockedMs < blockedMaxMs) return;
  clearInterval(ticks);
  end();
}, tickMs);

/** `process.exit` would end this thread alone. The line has the form of the log, which is the blocked thread's. */
function end(): void {
  const kill = (): boolean => process.kill(process.pid, 'SIGKILL');
  if (isSilent) kill();
  const msg = `the event loop stood still for ${blockedMaxMs / 1_000} s: the process ends, so that a new one is started`;
  setTimeout(kill, WRITE_TIMEOUT_MS);
  write(STDOUT, `${JSON.stringify({ level: 'fatal', time: new Date().toISOString(), msg })}\n`, kill);
}
