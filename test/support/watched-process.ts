import { startWatchdog } from '../../src/process/watchdog.ts';

/**
 * A process with a watchdog that blocks its event loop: `for <ms>` computes for this time, `sleep <ms>` waits without
 * computing, `ticks` blocks it forever, and `not` ends normally without stopping the watchdog.
 */
const [maxBlockedMs, how, ms] = process.argv.slice(2);
const blocks: Record<string, () => void> = {
  for: () => {
    for (const endsAtMs = performance.now() + Number(ms); performance.now() < endsAtMs;);
  },
  sleep: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(ms)),
  ticks: function again() {
    process.nextTick(again);
  },
  not: () => {},
};

startWatchdog({ maxBlockedMs: Number(maxBlockedMs), isSilent: false, onError: console.error });
setTimeout(() => {
  process.stdout.write('blocks\n');
  blocks[how!]!();
  // Gives a wrong watchdog time to end the process.
  setTimeout(() => process.stdout.write('goes on\n'), 500);
}, 500);
