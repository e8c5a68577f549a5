import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openLog } from '../src/log.ts';
import { createDatabase, type TestDatabase } from './support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it('tells what the database refused, without the values that were sent', async () => {
  const error: unknown = await database.db.execute(sql`select ${'hunter2'}::text, ${'a\nb at c'}::text, 1 / ${0}::int`).catch((error: unknown) => error);
  expect(String(error)).toContain('hunter2');
  const [line] = linesOf((log) => log.error({ err: error, requestId: 'r' }, 'failed'));
  expect(line).toMatchObject({ level: 'error', msg: 'failed', requestId: 'r', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) });
  expect(line!.err).toMatchObject({
    message: expect.stringMatching(/^Failed query: select \$1/),
    stack: expect.stringContaining('log.test.ts'),
    cause: { type: 'PostgresError', code: '22012', message: 'division by zero' },
  });
  expect(JSON.stringify(line)).not.toMatch(/hunter2|a\\\\nb/);
});

it('says nothing below its level', () => {
  expect(linesOf((log) => log.info({}, 'quiet'), 'warn')).toEqual([]);
});

it('loses no line when the process ends', async () => {
  const script = `import { openLog } from './src/log.ts'; openLog('info').info({}, 'last'); process.exit(0);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect(linesIn(stdout)).toMatchObject([{ level: 'info', msg: 'last' }]);
});

function linesOf(work: (log: ReturnType<typeof openLog>) => void, level = 'info'): { err?: object }[] {
  const written: string[] = [];
  work(openLog(level, { write: (text) => void written.push(text) }));
  return linesIn(written.join(''));
}

function linesIn(text: string): { err?: object }[] {
  return text.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as { err?: object });
}
