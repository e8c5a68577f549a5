import { mkdir } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it, vi } from 'vitest';
import { createDataDir, isAlive, run } from './process.ts';

vi.setConfig({ testTimeout: 120_000 });

const VITEST = 'node_modules/vitest/vitest.mjs';
const NO_COLOR = { NO_COLOR: '1' };

it('names a path that no test file has, although another one has', async () => {
  const { code, stderr } = await run(VITEST, ['run', 'test/values', 'test/brnad', 'test/config.test.ts:3'], NO_COLOR)
    .finished;
  expect([code, stderr]).toEqual([1, expect.stringContaining('No test file has this in its path: test/brnad\n')]);
});

it('stops its PostgreSQL when it is ended by SIGTERM', async ({ skip }) => {
  skip(inject('isCluster'), 'a run on a cluster starts no server');
  const data = await createDataDir();
  const temporary = join(data.path, 'tmp');
  await mkdir(temporary, { mode: 0o777 });
  const running = run(VITEST, ['run', 'test/values'], { TMPDIR: temporary });
  const pid = await vi.waitFor(() => serverIn(temporary), { timeout: 60_000, interval: 20 });
  running.child.kill('SIGTERM');
  await running.finished;
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 20_000 });
  await data.remove();
});

/** The process id of the server in a folder of this run. Throws if there is none yet. */
function serverIn(temporary: string): number {
  const folder = readdirSync(temporary).find((name) => name.startsWith('commerce-test-'))!;
  return Number(readFileSync(join(temporary, folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}
