import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { post } from '../../support/post.ts';
import { open, sendRaw } from '../../support/raw.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const query = JSON.stringify({ query: '{ me { id } }' });
const path = '/api/v1/admin/graphql';
/** A session older than this is looked up again, because the token may be revoked. The tests do not cache sessions. */
const REVOKED_BEFORE_MS = 200;

let server: TestServer;
let asked: string[];
beforeAll(async () => {
  server = await startServer({
    findSession: async (token) => {
      asked.push(token);
      if (token === 'broken') throw Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' });
      return server.sessions.get(token) ?? null;
    },
  });
});
afterAll(() => server.drain());

describe('a token', () => {
  it.each(['Bearer full', 'bearer full', 'BEARER full', 'Bearer  full'])('is read from %j', async (header) => {
    expect(await answer([`Authorization: ${header}`])).toMatch(
      /^HTTP\/1\.1 200 .*\{"data":\{"me":\{"id":"app-1"\}\}\}$/s,
    );
  });

  it('is looked up once per request', async () => {
    asked = [];
    await answer(['Authorization: Bearer full']);
    expect(asked).toEqual(['full']);
  });
});

describe('a request without a valid token', () => {
  const headers: string[][] = [
    [],
    ['Authorization:'],
    ['Authorization: Bearer'],
    ['Authorization: Bearer '],
    ['Authorization: full'],
    ['Authorization: Basic full'],
    ['Authorization: Basic Y2xpZW50OnNlY3JldA=='],
    ['Authorization: Digest full'],
    ['Authorization: Bearerfull'],
    ['Authorization: Bearer\tfull'],
    ['Authorization: Bearer full full'],
    ['Authorization: Bearer full,full'],
    ['Authorization: Bearer "full"'],
    ['Authorization: Bearer fullx'],
    ['Authorization: Bearer FULL'],
    ['Authorization: Bearer =full'],
    ['Authorization: Bearer full\u00e9'],
    ['Authorization: Bearer full%20'],
    ['Authorization: Bearer null'],
    ['Authorization: Bearer undefined'],
    ['Authorization: Token full'],
    ['Authorization: OAuth full'],
    [`Authorization: Bearer ${'a'.repeat(600)}`],
    ['Authorization: Bearer full', 'Authorization: Bearer full'],
    ['Authorization: Bearer full', 'authorization: Bearer other'],
    ['X-Authorization: Bearer full'],
    ['Proxy-Authorization: Bearer full'],
    ['Cookie: access_token=full; authorization=Bearer%20full'],
    ['X-Access-Token: full'],
  ];

  // docs/reliability-tests.md: 1, 3
  it.each(headers.map((lines) => ({ lines })))('gets the same answer: $lines', async ({ lines }) => {
    asked = [];
    const before = server.calls.length;
    const text = await answer(lines);
    expect(text).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
    expect(text).toMatch(/\r\nwww-authenticate: Bearer\r\n/);
    expect(text.split('\r\n\r\n')[1]).toBe(
      '{"errors":[{"message":"A valid access token is required.","extensions":{"code":"LOGIN_REQUIRED"}}]}',
    );
    expect(server.calls).toHaveLength(before);
  });

  // docs/reliability-tests.md: 1
  it('is refused with a token in the address or in the body', async () => {
    const inAddress = await fetch(`${server.url}${path}?access_token=full&query={me{id}}`);
    expect(inAddress.status).toBe(401);
    const body = JSON.stringify({
      query: '{ me { id } }',
      access_token: 'full',
      extensions: { authorization: 'Bearer full' },
    });
    const inBody = await fetch(server.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(inBody.status).toBe(401);
  });

  it.each([
    ['a header of 20 kB', `Authorization: Bearer ${'a'.repeat(20_000)}`],
    ['a NUL', 'Authorization: Bearer fu\0ll'],
    ['a line feed', 'Authorization: Bearer full\nX: y'],
  ])('is refused by the parser with %s', async (_, line) => {
    asked = [];
    expect(await answer([line])).toMatch(/^HTTP\/1\.1 4(00|31) /);
    expect(asked).toEqual([]);
  });

  it('is refused before its body is read if it has an invalid token', async () => {
    const head = [
      'POST /api/v1/admin/graphql HTTP/1.1',
      'Host: x',
      'Authorization: Bearer unknown',
      'Content-Type: application/json',
      'Content-Length: 5000000',
    ];
    expect(await sendRaw(server.url, `${head.join('\r\n')}\r\n\r\n{"que`)).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('a lookup that fails because the database is unavailable', () => {
  it('is answered with 503, not like an invalid token', async () => {
    const text = await answer(['Authorization: Bearer broken']);
    expect(text).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 1\r\n.*"code":"SERVICE_UNAVAILABLE"/s);
    expect(text).not.toContain('CONNECTION_CLOSED');
  });
});

describe('a token that is revoked', () => {
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer leaked\r\nContent-Type: application/json\r\nContent-Length: ${query.length}\r\n\r\n`;
  const refusal = /^HTTP\/1\.1 401 .*"code":"LOGIN_REQUIRED"/s;

  // docs/reliability-tests.md: 4
  it('while its request is received ends the request, and nothing is executed', async () => {
    server.sessions.set('leaked', server.sessions.get('full')!);
    asked = [];
    const before = server.calls.length;
    const socket = open(server.url);
    socket.write(`${head}${query.slice(0, 5)}`);
    await vi.waitUntil(() => asked.includes('leaked'));
    server.sessions.delete('leaked');
    await wait(REVOKED_BEFORE_MS);
    socket.write(query.slice(5));
    const [text] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(text.toString()).toMatch(refusal);
    expect(server.calls).toHaveLength(before);
  });

  // docs/reliability-tests.md: 4
  it('while its request is executed does not end the request', async () => {
    server.sessions.set('leaked', server.sessions.get('full')!);
    const answer = post(server.graphqlUrl, { query: '{ wait }' }, { token: 'leaked' });
    await vi.waitUntil(() => server.calls.includes('wait'));
    server.sessions.delete('leaked');
    server.release();
    expect(await answer).toMatchObject({ status: 200, body: { data: { wait: true } } });
    expect((await post(server.graphqlUrl, { query: '{ me { id } }' }, { token: 'leaked' })).status).toBe(401);
  });

  // docs/reliability-tests.md: 4
  it('while its request waits for admission ends the request, and nothing is executed', async () => {
    const one = { max: 1, maxPerMerchant: 1, maxWaiting: 10, maxWaitMs: 10_000 };
    const busy = await startServer({ executionLimits: { standard: one, longWrites: one, outbound: one } });
    busy.sessions.set('leaked', busy.sessions.get('full')!);
    const ahead = post(busy.graphqlUrl, { query: '{ wait }' });
    await vi.waitUntil(() => busy.calls.includes('wait'));
    const answer = sendRaw(busy.url, `${head}${query}`);
    await vi.waitUntil(async () => (await metrics(busy)).includes('\nhttp_requests_waiting 1\n'));
    busy.sessions.delete('leaked');
    await wait(REVOKED_BEFORE_MS);
    busy.release();
    expect(await answer).toMatch(refusal);
    await ahead;
    expect(busy.calls).toEqual(['wait']);
    await busy.drain();
  });
});

async function metrics({ url }: TestServer): Promise<string> {
  return await (await fetch(`${url}/metrics`)).text();
}

async function answer(lines: string[]): Promise<string> {
  asked ??= [];
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    'Content-Type: application/json',
    `Content-Length: ${query.length}`,
    ...lines,
  ];
  return await sendRaw(server.url, Buffer.from(`${head.join('\r\n')}\r\n\r\n${query}`, 'latin1'));
}
