import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCommand, runLikeProcess } from './command.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { run } from './process.ts';

let database: TestDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  database = await createDatabase();
  env = { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('hex') };
});
afterAll(() => database.drop());

describe('a command in the process of the test', () => {
  it.each([
    ['a result', ['merchant', 'list'], {}],
    ['a result and a message', ['db', 'url', '--raw'], {}],
    ['an exit code that the command sets', ['status'], {}],
    ['an invalid option', ['merchant', 'list', '--colour'], {}],
    ['the help of a command', ['stock', '--help'], {}],
    ['the version', ['--version'], {}],
    ['an unknown record', ['app', 'create', '--merchant', 'nobody'], {}],
    ['an empty standard input', ['import', '-'], {}],
    ['an invalid variable', ['merchant', 'list'], { POOL_SIZE: 'many' }],
    ['a database that cannot be reached', ['merchant', 'list'], { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' }],
  ])('prints what a process of its own prints: %s', async (_, args, variables) => {
    const own = { ...env, ...variables };
    expect(await runCommand(args, own)).toEqual(await run('src/cli/admin.ts', args, own).finished);
  });

  it('sees no variable of the test', async () => {
    vi.stubEnv('DATABASE_URL', database.url);
    vi.stubEnv('SECRET_KEY', env['SECRET_KEY']!);
    const { code, stdout } = await runCommand(['merchant', 'list'], { DATA_DIR: '/none' });
    vi.unstubAllEnvs();
    expect([code, stdout]).toEqual([1, '']);
  });

  it('refuses variables that Node reads only when a process starts', async () => {
    await expect(runCommand(['--version'], { TZ: 'UTC' })).rejects.toThrow('TZ: use run()');
    await expect(runCommand(['--version'], { NODE_OPTIONS: '' })).rejects.toThrow('NODE_OPTIONS: use run()');
  });

  it('leaves the process as it was, also after a failure', async () => {
    const before = state();
    const { code } = await runCommand(['merchant', 'list', '--colour'], env);
    expect([code, state()]).toEqual([2, before]);
    await runCommand(['status'], env);
    expect(state()).toEqual(before);
    const broken = runLikeProcess({ NAME: 'x' }, async () => {
      process.exitCode = 7;
      process.on('SIGINT', () => undefined);
      process.once('exit', () => undefined);
      process.env['OTHER'] = 'x';
      throw new Error('broken');
    });
    await expect(broken).rejects.toThrow('broken');
    expect(state()).toEqual(before);
  });

  it('has an exit code of its own', async () => {
    process.exitCode = 9;
    const { code } = await runLikeProcess({}, async () => Number(process.exitCode ?? 0));
    expect([code, process.exitCode]).toEqual([0, 9]);
    process.exitCode = undefined;
  });

  it('has outputs and variables of its own, while the test uses those of the process', async () => {
    const { stdout, stderr, env: variables } = process;
    const first = runLikeProcess({ NAME: 'first' }, async () => {
      process.stdout.write(process.env['NAME']!);
      await wait(20);
      process.stderr.write(Buffer.from('ä'));
      return 3;
    });
    const second = runLikeProcess({}, async () => (process.stdout.write(String(process.env['NAME'])) ? 4 : 5));
    await wait(10);
    expect(process.stdout === stdout && process.stderr === stderr && process.env === variables).toBe(true);
    expect(await first).toEqual({ code: 3, signal: null, stdout: 'first', stderr: 'ä' });
    expect(await second).toEqual({ code: 4, signal: null, stdout: 'undefined', stderr: '' });
  });

  it('fails if the command still prints after its end', async () => {
    let late: unknown;
    await runLikeProcess({}, async () => {
      const { stdout } = process;
      setTimeout(() => {
        try {
          stdout.write('late');
        } catch (error) {
          late = error;
        }
      }, 50);
      return 0;
    });
    await expect.poll(() => String(late)).toContain('still prints: late');
  });
});

/** What a command could leave behind in the process. */
function state() {
  const listeners = process.eventNames().map((name) => [name, process.listenerCount(name)]);
  return {
    env: { ...process.env },
    exitCode: process.exitCode,
    listeners,
    members: ['env', 'stdin', 'stdout', 'stderr'].map((name) => Object.getOwnPropertyDescriptor(process, name)),
    streams: [process.stdout, process.stderr].map((stream) => stream.listenerCount('error')),
  };
}
