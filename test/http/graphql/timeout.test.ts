import { afterAll, beforeAll, expect, it } from 'vitest';
import { codes, post } from '../../support/post.ts';
import { startServer, type TestServer } from '../../support/server.ts';

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
