import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { codes, post } from '../../support/post.ts';
import { logLines } from '../../support/process.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { startTestService } from '../../support/whole-service.ts';

/** Enough for the statements with which the service starts, also on a busy machine. */
const STATEMENT_TIMEOUT_MS = 500;

/** The error of Drizzle for a statement that PostgreSQL has cancelled. */
function stopped(): Error {
  return new Error('Failed query: select 1', {
    cause: Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }),
  });
}

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    routes: [async (app) => void app.get('/api/v1/slow', () => Promise.reject(stopped()))],
  });
});
afterAll(() => server.drain());

it('a statement that takes too long has the code TIMEOUT in a GraphQL answer, and is logged once with its operations', async () => {
  const answer = await post(server.graphqlUrl, { query: '{ getThing(id: "timeout") { id } }' });
  expect(codes(answer)).toEqual(['TIMEOUT']);
  expect(answer.body.errors![0]!.message).toBe(
    'The request takes too long. Ask for less: a smaller page, fewer fields, narrower filters.',
  );
  expect(JSON.stringify(answer.body)).not.toContain('select');
  const logged = server.lines.filter(({ msg }) => msg === 'a statement took too long');
  expect(logged).toMatchObject([{ operations: ['getThing'], requestId: expect.any(String) }]);
});

it('a statement that takes too long has the status 504 and the code TIMEOUT in a REST answer', async () => {
  const response = await fetch(`${server.url}/api/v1/slow`, { headers: { authorization: 'Bearer full' } });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    504,
    'application/problem+json; charset=utf-8',
  ]);
  expect(await response.json()).toMatchObject({ code: 'TIMEOUT', status: 504 });
});

// docs/reliability-tests.md: 30
it('a statement that PostgreSQL has cancelled has the code TIMEOUT, and is logged with its operation', async () => {
  const service = await startTestService({}, 'all', { database: { statementTimeoutMs: STATEMENT_TIMEOUT_MS } });
  onTestFinished(async () => await service.stop());
  const { token } = await service.createApp();
  const query = '{ searchProducts(input: {}) { totalCount facets { field values { id name count } } } }';
  // The statement waits for a lock, so that it takes too long on every machine.
  const answer = await service.owner.transaction(async (transaction) => {
    await transaction.execute(sql`lock table product in access exclusive mode`);
    return await post(service.graphqlUrl, { query }, { token });
  });
  expect(codes(answer)).toEqual(['TIMEOUT']);
  expect(answer.body.errors![0]!.message).toMatch(/ask for less/i);
  const logged = expect.objectContaining({ operations: ['searchProducts'], msg: expect.stringMatching(/statement/) });
  await expect.poll(() => logLines(service.lines.join(''))).toContainEqual(logged);
});
