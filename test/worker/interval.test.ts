import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { BackgroundMetrics } from '../../src/http/server/background-metrics.ts';
import { Metrics } from '../../src/http/server/metrics.ts';
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

it('counts each failure, and says whether the last run has failed; not while the database is away', async () => {
  const metrics = new Metrics();
  const runs: (() => void)[] = [
    () => {},
    () => {
      throw new Error('once');
    },
    () => {
      throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    },
    () => {},
  ];
  const read: string[][] = [];
  const third = Promise.withResolvers<void>();
  const interval = startInterval(
    async () => {
      const text = await metrics.registry.metrics();
      read.push(text.split('\n').filter((line) => line.startsWith('background_')));
      const run = runs.shift();
      if (!run) return third.resolve();
      run();
    },
    { name: 'work', intervalMs: 1, log: silent, background: new BackgroundMetrics(metrics) },
  );
  await third.promise;
  await interval.stop();
  const [failures, failing] = ['background_failures_total{work="work"}', 'background_task_failing{work="work"}'];
  expect(read.slice(0, 5)).toEqual([
    [],
    [`${failing} 0`],
    [`${failures} 1`, `${failing} 1`],
    [`${failures} 1`, `${failing} 1`],
    [`${failures} 1`, `${failing} 0`],
  ]);
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
