import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openLog } from '../../src/process/log.ts';
import { LogText } from '../../src/process/log-text.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

type Line = { err?: object; time: string; n?: number };

/** Null if this process may not mount a file system. */
const disk = mountSmallDisk(64);

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(async () => {
  disk?.remove();
  await database.drop();
});

it('logs an error of the database without the values that were sent', async () => {
  const error: unknown = await database.db
    .execute(sql`select ${'hunter2'}::text, ${'a\nb at c'}::text, 1 / ${0}::int`)
    .catch((error: unknown) => error);
  expect(String(error)).toContain('hunter2');
  const [line] = linesOf((log) => log.error({ err: error, requestId: 'r' }, 'failed'));
  expect(line).toMatchObject({
    level: 'error',
    msg: 'failed',
    requestId: 'r',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
  expect(line!.err).toMatchObject({
    message: expect.stringMatching(/^Failed query: select \$1/),
    stack: expect.stringContaining('log.test.ts'),
    cause: { type: 'PostgresError', code: '22012', message: 'division by zero' },
  });
  expect(JSON.stringify(line)).not.toMatch(/hunter2|a\\\\nb/);
});

it('logs nothing below its level', () => {
  expect(linesOf((log) => log.info({}, 'quiet'), 'warn')).toEqual([]);
});

it('has the time in each line', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const instants = [
      '2026-01-02T03:04:05.007Z',
      '2026-01-02T03:04:05.050Z',
      '2026-01-02T03:04:06.000Z',
      '2026-01-02T03:04:05.999Z',
    ];
    const lines = linesOf((log) => {
      for (const instant of instants) {
        vi.setSystemTime(new Date(instant));
        log.info({}, 'now');
      }
    });
    expect(lines.map(({ time }) => time)).toEqual(instants);
  } finally {
    vi.useRealTimers();
  }
});

it('loses no line when the process ends, and keeps their order', async () => {
  const lines = await linesOfProcess(
    `for (let n = 0; n < 1_000; n++) log.info({ n, text: 'x'.repeat(300) }, 'line'); process.exit(0);`,
  );
  expect(lines.map(({ n }) => n)).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
});

it('loses no line when the event loop is empty', async () => {
  expect(await linesOfProcess(`log.info({}, 'last');`)).toMatchObject([{ level: 'info', msg: 'last' }]);
});

it('writes a fatal line before the process is killed', async () => {
  expect(
    await linesOfProcess(`log.info({}, 'first'); log.fatal({}, 'last'); process.kill(process.pid, 'SIGKILL');`),
  ).toMatchObject([{ msg: 'first' }, { msg: 'last' }]);
});

it('loses no line when the reader of a pipe is slow, and keeps their order', async () => {
  const lines = linesIn(await readLate(1_000));
  expect(lines.map(({ n }) => n)).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
});

it('keeps 16 MiB of lines while the reader of a pipe takes none, and writes these whole', async () => {
  const written = await readLate(20_000);
  expect(written.length).toBeGreaterThan(16 * 1024 * 1024);
  expect(written.length).toBeLessThan(18 * 1024 * 1024);
  expect(linesIn(written).map(({ n }, index) => n === index)).not.toContain(false);
});

it('writes within half a second', async () => {
  const lines = await linesOfProcess(
    `log.info({}, 'first'); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 500);`,
  );
  expect(lines).toMatchObject([{ msg: 'first' }]);
});

describe('on a full disk', () => {
  it('ends after a fatal line', async () => {
    const { status, signal } = runWithFullDisk(`log.info({}, 'first'); log.fatal({}, 'last'); process.exit(3);`);
    expect({ status, signal }).toEqual({ status: 3, signal: null });
  });

  it('goes on after lines that cannot be written, and ends', async () => {
    const { status, signal, stderr } = runWithFullDisk(
      `log.info({}, 'first'); setTimeout(() => (log.info({}, 'second'), process.exit(3)), 300);`,
    );
    expect({ status, signal, stderr }).toEqual({ status: 3, signal: null, stderr: '' });
  });
});

it('writes again when the disk has space again', async ({ skip }) => {
  if (!disk) return skip('this process may not mount a file system');
  const path = join(disk.path, 'log');
  await disk.fill();
  const lines = openSync(path, 'a');
  const script = `log.info({}, 'lost'); setTimeout(() => (log.info({}, 'kept'), process.exit(0)), 1_000);`;
  const ended = once(spawn(process.execPath, nodeArguments(script), { stdio: ['ignore', lines, 'inherit'] }), 'exit');
  closeSync(lines);
  await wait(600);
  await disk.free();
  expect(await ended).toEqual([0, null]);
  expect(linesIn(await readFile(path, 'utf8'))).toMatchObject([{ msg: 'kept' }]);
});

/** Logs lines of 1 KB in a process whose pipe is read only after it has tried to write all of them. */
async function readLate(lineCount: number): Promise<string> {
  // Opened as a stream, the pipe refuses what does not fit (EAGAIN).
  const script = `void process.stdout;
    for (let n = 0; n < ${lineCount}; n++) log.info({ n, text: 'x'.repeat(1_000) }, 'line');
    setTimeout(() => process.exit(0), 300);`;
  const { stdout } = spawn(process.execPath, nodeArguments(script), { stdio: ['ignore', 'pipe', 'inherit'] });
  await wait(1_500);
  return await text(stdout);
}

/** Runs the script in a process whose standard output refuses every byte. One that does not end is killed. */
function runWithFullDisk(script: string) {
  const full = openSync('/dev/full', 'w');
  try {
    return spawnSync(process.execPath, nodeArguments(script), {
      stdio: ['ignore', full, 'pipe'],
      timeout: 10_000,
      killSignal: 'SIGKILL',
      encoding: 'utf8',
    });
  } finally {
    closeSync(full);
  }
}

/** Runs the script in a process, and returns its log lines, also if the process fails. */
async function linesOfProcess(script: string): Promise<Line[]> {
  const ended = promisify(execFile)(process.execPath, nodeArguments(script), { maxBuffer: Infinity });
  const { stdout } = await ended.catch((error: { stdout: string }) => error);
  return linesIn(stdout);
}

function nodeArguments(script: string): string[] {
  const whole = `import { openLog } from './src/process/log.ts'; const log = openLog('info'); ${script}`;
  return ['--input-type=module', '-e', whole];
}

function linesOf(work: (log: ReturnType<typeof openLog>) => void, level = 'info'): Line[] {
  const written: string[] = [];
  work(openLog(level, { write: (text) => void written.push(text) }));
  return linesIn(written.join(''));
}

function linesIn(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

it('is text for people, with the stack of an error on lines of its own', () => {
  const written: string[] = [];
  const log = openLog('info', new LogText({ write: (text: string) => written.push(text) }));
  log.info({ url: 'http://127.0.0.1:4000', path: '/a b\u009B2J', count: 3 }, 'ready');
  log.error({ err: new Error('no disk') }, 'failed');
  expect(written[0]).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} INFO {2}ready url=http:\/\/127\.0\.0\.1:4000 path="\/a b\uFFFD2J" count=3\n$/,
  );
  expect(written[1]).toMatch(/ ERROR failed\n {4}no disk .*\n {4}at .*log\.test\.ts/);
});
