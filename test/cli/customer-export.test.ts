import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Context } from '../../src/context.ts';
import { saveCustomer } from '../../src/customer/saveCustomer.ts';
import { newId } from '../../src/db/sql/id.ts';
import { runCommand } from '../support/command.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Finished, run, type RunningProcess } from '../support/process.ts';
import { shell } from '../support/programs.ts';
import { waitForLocks } from '../support/wait-for-locks.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Together they do not fit into the buffers of a pipe. */
const NOTES = 300;
const NOTE = 'n'.repeat(5_000);
const STATEMENT_TIMEOUT_MS = 2_400;
/** Longer than a transaction of a request may be idle: two thirds of the time that a statement may take. */
const PAUSE_MS = 2_500;

let database: TestDatabase;
let ctx: Context;
let id: string;
let folder: string;
/** An export whose reader pauses while the commands of other tests run. */
let paused: RunningProcess;
let pauseEnded: Promise<void>;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
  ({ id } = await saveCustomer(ctx, { input: { firstName: 'Ada' } as never }, { id: {} }));
  for (let number = 0; number < NOTES; number++)
    await saveCustomer(ctx, { input: { id, firstName: 'Ada', note: `${NOTE}${number}` } as never }, { id: {} });
  folder = await mkdtemp(join(tmpdir(), 'commerce-person-'));
  paused = start(id, '-');
  await vi.waitUntil(() => paused.stdout() !== '', { timeout: 30_000 });
  paused.child.stdout!.pause();
  pauseEnded = sleep(PAUSE_MS);
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

function start(...args: string[]): RunningProcess {
  return run('src/cli/admin.ts', commandLine(args), environment());
}

async function exported(...args: string[]): Promise<Finished> {
  return await runCommand(commandLine(args), environment());
}

function commandLine(args: string[]): string[] {
  return ['customer', 'export', ...args, '--merchant', ctx.merchantId];
}

function environment(): Record<string, string> {
  return {
    DATABASE_URL: database.url,
    SECRET_KEY: '00'.repeat(32),
    STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS),
  };
}

async function unfinished(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.unfinished'));
}

it('replaces a file only by a whole one, which only its owner may read', async () => {
  const file = join(folder, 'person.json');
  await writeFile(file, 'before');
  await chmod(file, 0o644);
  expect(await exported(newId(), file)).toMatchObject({ code: 1, stderr: expect.stringContaining('Customer') });
  expect(await readFile(file, 'utf8')).toBe('before');
  expect(await start(id, file).finished).toMatchObject({ code: 0, stderr: `${file}\n` });
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ customer: { id } });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['person.json']);
});

it.each([
  ['a named pipe', ['mkfifo']],
  ['a folder', ['mkdir']],
])('refuses to replace %s, before it reads the database', async (_, [program]) => {
  const path = join(folder, program!);
  await shell(program!, [path]);
  const { code, stdout, stderr } = await exported(newId(), path);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('It is no regular file. - writes to standard output.');
  expect((await stat(path)).isFile()).toBe(false);
  await rm(path, { recursive: true });
});

it('replaces the file that a symbolic link names, and not the link', async () => {
  const [file, link] = [join(folder, 'target.json'), join(folder, 'link.json')];
  await writeFile(file, 'before');
  await symlink('target.json', link);
  expect(await exported(id, link)).toMatchObject({ code: 0, stderr: `${link}\n` });
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ customer: { id } });
  await Promise.all([rm(link), rm(file)]);
});

it('waits for a reader that pauses for longer than a transaction of a request may be idle', async () => {
  await pauseEnded;
  paused.child.stdout!.resume();
  const { code, stdout, stderr } = await paused.finished;
  expect([code, stderr]).toEqual([0, '']);
  expect((JSON.parse(stdout) as { changes: unknown[] }).changes).toHaveLength(NOTES + 1);
});

it('leaves nothing behind when it is interrupted, and says so', async () => {
  const file = join(folder, 'interrupted.json');
  await writeFile(file, 'before');
  const running = start(id, file);
  await database.owner.transaction(async (transaction) => {
    await transaction.execute(sql`lock table webhook_delivery`);
    await waitForLocks(database.owner, 1);
    expect(await unfinished()).toHaveLength(1);
    running.child.kill('SIGINT');
    await expect.poll(unfinished).toEqual([]);
  });
  expect(await running.finished).toMatchObject({
    code: 130,
    stderr: `Interrupted: nothing is written, and ${file} is as it was before.\n`,
  });
  expect(await readFile(file, 'utf8')).toBe('before');
});
