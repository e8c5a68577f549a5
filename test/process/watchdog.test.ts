import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, inject, it, vi } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { createDataDir, logLines, run, type RunningProcess, startMain } from '../support/process.ts';

/** With a configured database and JSON on standard output the banner is on standard error. */
const BANNER = /^\nCommerce administration is ready\.[^]*The database goes on\.\n$/;
const LIMIT_MS = 1_000;
/** Longer than LIMIT_MS: the start of the service must not exceed it, also beside other tests and a cluster's servers. */
const SERVICE_LIMIT_MS = inject('isCluster') ? 5_000 : 3_000;

const blocked = (limitMs: number) => ({
  level: 'fatal',
  time: expect.stringMatching(/^\d{4}-.*Z$/),
  msg: expect.stringContaining(`the event loop stood still for ${limitMs / 1_000} s`),
});

// The tests wait more than they work. With more at once on two cores a short block could exceed the limit.
vi.setConfig({ maxConcurrency: 3 });

describe.concurrent('a process with a watchdog', () => {
  it.each(['for', 'sleep', 'ticks'])('ends with a line in the log if its event loop is blocked: %s', async (how) => {
    const { signal, stdout, stderr } = await watched(how, 60_000).finished;
    expect([signal, stderr]).toEqual(['SIGKILL', '']);
    expect(logLines(stdout)).toEqual([blocked(LIMIT_MS)]);
  });

  it('continues after a short block', async () => {
    expect(await watched('for', LIMIT_MS / 2).finished).toMatchObject({
      code: 0,
      stdout: 'blocks\ngoes on\n',
      stderr: '',
    });
  });

  it('ends normally, without a line of the watchdog', async () => {
    expect(await watched('not').finished).toMatchObject({ code: 0, stdout: 'blocks\ngoes on\n', stderr: '' });
  });

  it('continues after it was stopped for longer, for example by SIGSTOP or the sleep of its machine', async () => {
    const process = watched('for', LIMIT_MS / 2);
    await vi.waitFor(() => expect(process.stdout()).toBe('blocks\n'), { timeout: 20_000, interval: 10 });
    process.child.kill('SIGSTOP');
    await wait(3 * LIMIT_MS);
    process.child.kill('SIGCONT');
    expect(await process.finished).toMatchObject({ code: 0, stdout: 'blocks\ngoes on\n', stderr: '' });
  });

  it('may be stopped at a breakpoint', async () => {
    const { code, stdout } = await watched('for', 3 * LIMIT_MS, { NODE_OPTIONS: '--inspect=127.0.0.1:0' }).finished;
    expect([code, stdout]).toEqual([0, 'blocks\ngoes on\n']);
  });
});

describe.concurrent('the service', () => {
  it('is ended by its watchdog, and can be started again', async () => {
    const [database, dataDir] = await Promise.all([createDatabase(), createDataDir()]);
    const environment = {
      DATABASE_URL: database.url,
      SECRET_KEY: '0'.repeat(64),
      DATA_DIR: dataDir.path,
      EVENT_LOOP_BLOCKED_MAX_MS: String(SERVICE_LIMIT_MS),
    };
    const preload = pathToFileURL('test/support/block-on-signal.ts').href;
    const service = await startMain({ ...environment, NODE_OPTIONS: `--import=${preload}` });
    service.child.kill('SIGUSR2');
    const { signal, stdout } = await service.finished;
    expect(signal).toBe('SIGKILL');
    expect(logLines(stdout).at(-1)).toEqual(blocked(SERVICE_LIMIT_MS));
    const next = await startMain(environment);
    expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
    expect(await next.stop()).toMatchObject({ code: 0, stderr: expect.stringMatching(BANNER) });
    await Promise.all([database.drop(), dataDir.remove()]);
  });

  it('has no watchdog if the limit is 0', async () => {
    const [database, dataDir] = await Promise.all([createDatabase(), createDataDir()]);
    const environment = {
      DATABASE_URL: database.url,
      SECRET_KEY: '0'.repeat(64),
      DATA_DIR: dataDir.path,
      EVENT_LOOP_BLOCKED_MAX_MS: '0',
    };
    const preload = pathToFileURL('test/support/block-on-signal.ts').href;
    const service = await startMain({ ...environment, NODE_OPTIONS: `--import=${preload}` });
    service.child.kill('SIGUSR2');
    await wait(3 * LIMIT_MS);
    expect(await service.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL', stderr: expect.stringMatching(BANNER) });
    expect(logLines(service.stdout()).filter(({ level }) => level === 'fatal')).toEqual([]);
    await Promise.all([database.drop(), dataDir.remove()]);
  });
});

function watched(how: string, ms = 0, environment: Record<string, string> = {}): RunningProcess {
  return run('test/support/watched-process.ts', [String(LIMIT_MS), how, String(ms)], environment);
}
