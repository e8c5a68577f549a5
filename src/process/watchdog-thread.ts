import { write } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { HEARTBEATS, IS_INSPECTED, type WatchdogData } from './watchdog.ts';

const STDOUT = 1;
/** If a full pipe blocks the event loop, the process ends without the log line. */
const WRITE_TIMEOUT_MS = 1_000;

const { shared, maxBlockedMs, tickMs, isSilent } = workerData as WatchdogData;
watch();

function watch(): void {
  let heartbeats = 0;
  let blockedMs = 0;
  let tickedAtMs = performance.now();
  const ticks = setInterval(() => {
    const elapsedMs = performance.now() - tickedAtMs;
    tickedAtMs += elapsedMs;
    const isAlive = Atomics.load(shared, HEARTBEATS) !== heartbeats || Atomics.load(shared, IS_INSPECTED) === 1;
    heartbeats = Atomics.load(shared, HEARTBEATS);
    // Sleep of the machine and SIGSTOP stop this thread too: a long gap between its own ticks does not count.
    blockedMs = isAlive ? 0 : blockedMs + Math.min(elapsedMs, 2 * tickMs);
    if (blockedMs < maxBlockedMs) return;
    clearInterval(ticks);
    end();
  }, tickMs);
}

/**
 * SIGKILL, since `process.exit` would end only this thread. Writes the log line itself, since pino is in the blocked
 * thread.
 */
function end(): void {
  const kill = (): boolean => process.kill(process.pid, 'SIGKILL');
  if (isSilent) kill();
  const msg = `the event loop stood still for ${maxBlockedMs / 1_000} s: the process ends, so that a new one is started`;
  setTimeout(kill, WRITE_TIMEOUT_MS);
  write(STDOUT, `${JSON.stringify({ level: 'fatal', time: new Date().toISOString(), msg })}\n`, kill);
}
