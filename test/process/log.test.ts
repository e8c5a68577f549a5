import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openLog } from '../../src/process/log.ts';
import { LogText } from '../../src/process/log-text.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

type Line = { err?: object; time: string; n?: number };

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

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

it('writes within half a second', async () => {
  const lines = await linesOfProcess(
    `log.info({}, 'first'); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 500);`,
  );
  expect(lines).toMatchObject([{ msg: 'first' }]);
});

/** Runs the script in a process, and returns its log lines, also if the process fails. */
async function linesOfProcess(script: string): Promise<Line[]> {
  const whole = `import { openLog } from './src/process/log.ts'; const log = openLog('info'); ${script}`;
  const ended = promisify(execFile)(process.execPath, ['--input-type=module', '-e', whole], { maxBuffer: Infinity });
  const { stdout } = await ended.catch((error: { stdout: string }) => error);
  return linesIn(stdout);
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
