import { it } from 'vitest';
import { OutageLog } from '../../src/process/outage-log.ts';

const LOST = Object.assign(new Error('select 1 -- secret'), {
  cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
});

function open(reach: () => Promise<unknown>, write = reach) {
  const lines: object[] = [];
  const add = (level: string) => (details: object, msg?: string) => void lines.push({ level, ...details, msg });
  const log = { debug: add('debug'), info: add('info'), warn: add('warn'), error: add('error') };
  return { lines, outage: new OutageLog(log, { reach, write }) };
}

it.concurrent('logs a connection that is lost while the database can be reached, at most once in ten seconds', async ({
  expect,
}) => {
  const { lines, outage } = open(() => Promise.resolve());
  const line = {
    level: 'warn',
    msg: 'a connection to the database was lost',
    code: 'ECONNRESET',
    reason: 'read ECONNRESET',
  };
  outage.report(LOST);
  outage.report(LOST);
  await expect.poll(() => lines).toEqual([line]);
  outage.report(LOST);
  await new Promise(setImmediate);
  expect(lines).toEqual([line]);
});

it.concurrent('logs when the database lacks resources, and when no statement has failed for this reason for a while', async ({
  expect,
}) => {
  const full = Object.assign(new Error('insert -- secret'), {
    cause: Object.assign(new Error('could not extend file'), { code: '53100' }),
  });
  let tested = 0;
  const { lines, outage } = open(
    () => Promise.resolve(),
    async () => void (tested += 1),
  );
  outage.report(full);
  expect([lines, outage.isLackingResources]).toEqual([
    [{ level: 'error', msg: 'the database lacks resources', code: '53100', reason: 'could not extend file' }],
    true,
  ]);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  outage.report(full);
  expect([lines.length, tested]).toEqual([1, 0]);
  await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(2);
  expect(lines[1]).toEqual({ level: 'info', msg: 'the database has resources again', lackedMs: expect.any(Number) });
  expect((lines[1] as unknown as { lackedMs: number }).lackedMs).toBeGreaterThan(7_000);
  expect(outage.isLackingResources).toBe(false);
});

it.concurrent('logs no other errors', async ({ expect }) => {
  const { lines, outage } = open(() => Promise.reject(new Error('not asked')));
  outage.report(Object.assign(new Error('duplicate key'), { code: '23505' }));
  outage.report(undefined);
  await new Promise(setImmediate);
  expect(lines).toEqual([]);
});

it.concurrent('probes at growing intervals while the database cannot be reached', async ({ expect }) => {
  const askedAtMs: number[] = [];
  const { lines, outage } = open(async () => {
    askedAtMs.push(performance.now());
    if (askedAtMs.length < 5) throw new Error('away');
  });
  outage.report(LOST);
  await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(2);
  const pauses = askedAtMs.slice(1).map((at, index) => at - askedAtMs[index]!);
  for (const [index, least] of [250, 500, 1_000, 2_000].entries()) expect(pauses[index]).toBeGreaterThan(least - 10);
  expect(lines).toMatchObject([
    { level: 'error', msg: 'the database cannot be reached' },
    { level: 'info', msg: 'the database can be reached again', awayMs: expect.any(Number) },
  ]);
});

it.concurrent('ends with the service', async ({ expect }) => {
  let asked = 0;
  const { lines, outage } = open(async () => {
    asked += 1;
    throw new Error('away');
  });
  outage.report(LOST);
  await expect.poll(() => lines.length).toBe(1);
  outage.close();
  const before = asked;
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(asked - before).toBeLessThanOrEqual(1);
  outage.report(LOST);
  expect(lines).toHaveLength(1);
});
