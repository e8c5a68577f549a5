import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startInterval } from '../../src/worker/interval.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

// docs/reliability-tests.md: 100
it('does the work again after a failure, which it logs', async () => {
  const logged: object[] = [];
  const third = Promise.withResolvers<void>();
  let times = 0;
  const work = async (): Promise<void> => {
    times++;
    if (times === 1) throw new Error('once');
    if (times === 3) third.resolve();
  };
  const interval = startInterval(work, {
    name: 'work',
    intervalMs: 1,
    log: { ...silent, error: (details) => logged.push(details) },
  });
  await third.promise;
  await interval.stop();
  expect(logged).toMatchObject([{ work: 'work', err: { message: 'once' } }]);
});

it('stops at once during a pause, and otherwise when the work is done', async () => {
  let isDone = false;
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const work = async (): Promise<void> => {
    begun.resolve();
    await end.promise;
    isDone = true;
  };
  const interval = startInterval(work, { name: 'work', intervalMs: 3_600_000, log: silent });
  await begun.promise;
  const stopped = interval.stop();
  expect(isDone).toBe(false);
  end.resolve();
  await stopped;
  expect(isDone).toBe(true);
  const paused = startInterval(async () => {}, { name: 'work', intervalMs: 3_600_000, log: silent });
  await new Promise(setImmediate);
  await paused.stop();
});

it('can be woken from its pause, and repeats the work if it is woken during the work', async () => {
  let times = 0;
  const reached = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const release = Promise.withResolvers<void>();
  const work = async (): Promise<void> => {
    reached[times++]!.resolve();
    if (times === 2) await release.promise;
  };
  const interval = startInterval(work, { name: 'work', intervalMs: 3_600_000, log: silent });
  await reached[0]!.promise;
  await new Promise(setImmediate);
  interval.wake();
  await reached[1]!.promise;
  interval.wake();
  interval.wake();
  release.resolve();
  await reached[2]!.promise;
  await interval.stop();
  expect(times).toBe(3);
});

it('does the work often for a time after it was woken', async () => {
  let times = 0;
  const fifth = Promise.withResolvers<void>();
  const work = async (): Promise<void> => {
    if (++times === 5) fifth.resolve();
  };
  const interval = startInterval(work, {
    name: 'work',
    intervalMs: 3_600_000,
    afterWake: { intervalMs: 1, forMs: 100 },
    log: silent,
  });
  await new Promise(setImmediate);
  expect(times).toBe(1);
  interval.wake();
  await fifth.promise;
  await wait(200);
  const before = times;
  await wait(50);
  expect(times).toBe(before);
  await interval.stop();
});
