import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
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
  const [line] = await linesOf((log) => log.error({ err: error, requestId: 'r' }, 'failed'));
  expect(line).toMatchObject({ level: 'error', msg: 'failed', requestId: 'r', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) });
  expect(line!.err).toMatchObject({
    message: expect.stringMatching(/^Failed query: select \$1/),
    stack: expect.stringContaining('log.test.ts'),
    cause: { type: 'PostgresError', code: '22012', message: 'division by zero' },
  });
  expect(JSON.stringify(line)).not.toMatch(/hunter2|a\\\\nb/);
});

it('says nothing below its level', async () => {
  expect(await linesOf((log) => log.info({}, 'quiet'), 'warn')).toEqual([]);
});

async function linesOf(work: (log: ReturnType<typeof openLog>) => void, level = 'info'): Promise<{ err?: object }[]> {
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  work(openLog(level));
  write.mockRestore();
  return written.join('').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as { err?: object });
}
