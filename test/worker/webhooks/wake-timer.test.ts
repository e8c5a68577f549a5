import { expect, it } from 'vitest';
import { WakeTimer } from '../../../src/worker/webhooks/wake-timer.ts';

// docs/reliability-tests.md: 87
it.each([0, -1, -5_000, Number.NaN])('lets the event loop run if it is called with %d ms', async (timeoutMs) => {
  const timer = new WakeTimer();
  let hasRun = false;
  setTimeout(() => (hasRun = true), 5);
  for (let n = 0; n < 1_000 && !hasRun; n++) await timer.sleep(timeoutMs);
  expect(hasRun).toBe(true);
});

it('lets the event loop run if it is woken repeatedly', async () => {
  const timer = new WakeTimer();
  let hasRun = false;
  setTimeout(() => (hasRun = true), 5);
  const endsAtMs = performance.now() + 5_000;
  while (!hasRun && performance.now() < endsAtMs) {
    timer.wake();
    await timer.sleep(1_000);
  }
  expect(hasRun).toBe(true);
});

it('ends a sleep when it is woken, and shortens the next one if it is woken while nothing sleeps', async () => {
  const timer = new WakeTimer();
  const startedAtMs = performance.now();
  const sleeping = timer.sleep(60_000);
  timer.wake();
  await sleeping;
  timer.wake();
  await timer.sleep(60_000);
  expect(performance.now() - startedAtMs).toBeLessThan(30_000);
});

it('runs a function once that was scheduled several times for one moment, and wakes', async () => {
  const timer = new WakeTimer();
  let times = 0;
  for (let n = 0; n < 3; n++) timer.schedule('lane', 10, () => (times += 1));
  const startedAtMs = performance.now();
  await timer.sleep(60_000);
  expect(times).toBe(1);
  expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(10);
  timer.close();
});
