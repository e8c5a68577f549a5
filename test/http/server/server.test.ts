import dns from 'node:dns';
import { once } from 'node:events';
import { Agent, get as httpGet } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { codes, post } from '../../support/post.ts';
import { open, sendRaw } from '../../support/raw.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { consoleRoutes } from '../../../src/http/console/console-routes.ts';

const SLOW_CLIENTS = 500;

type LookupAll = (error: null, addresses: { address: string; family: number }[]) => void;

let server: TestServer;
beforeAll(async () => void (server = await startServer({ checks: { database: async () => true } })));
afterAll(() => server.drain());

describe('health', () => {
  it('reports that the process is alive', async () => {
    const response = await fetch(`${server.url}/healthz`);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  });

  it('reports that all checks succeed', async () => {
    const response = await fetch(`${server.url}/readyz`);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ready', checks: { database: 'ok' } }]);
  });

  it.each(['/healthz', '/readyz', '/metrics'])('answers HEAD like GET, without a body: %s', async (path) => {
    const response = await fetch(`${server.url}${path}`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('names a failed check, but not the reason', async () => {
    const failing = await startServer({
      checks: {
        database: () => Promise.reject(new Error('password')),
        queue: async () => false,
        migrations: async () => true,
      },
    });
    const response = await fetch(`${failing.url}/readyz`);
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: 'not ready', checks: { database: 'failed', queue: 'failed', migrations: 'ok' } },
    ]);
    await failing.drain();
  });

  describe('with excluded checks', () => {
    const checks = { database: async () => true, writes: async () => false, storage: async () => false };
    let failing: TestServer;
    beforeAll(async () => void (failing = await startServer({ checks })));
    afterAll(() => failing.drain());
    const ready = async (query: string) => {
      const response = await fetch(`${failing.url}/readyz${query}`);
      return [response.status, ((await response.json()) as { status: string }).status];
    };

    it('is ready if only these fail, and names them', async () => {
      const response = await fetch(`${failing.url}/readyz?exclude=storage&exclude=writes`);
      expect([response.status, await response.json()]).toEqual([
        200,
        { status: 'ready', checks: { database: 'ok', writes: 'failed', storage: 'failed' } },
      ]);
    });

    it('is not ready if another one fails', async () => {
      expect(await ready('?exclude=storage')).toEqual([503, 'not ready']);
      expect(await ready('?exclude=database')).toEqual([503, 'not ready']);
    });

    it('refuses an unknown name, and names the known ones', async () => {
      const response = await fetch(`${failing.url}/readyz?exclude=storage&exclude=Storage`);
      expect([response.status, ((await response.json()) as { detail: string }).detail]).toEqual([
        400,
        '`exclude` takes the name of a check: database, writes, storage.',
      ]);
    });

    it('does not wait for a slow excluded check, and has its last result', async () => {
      let isSlow = false;
      const storage = async (): Promise<boolean> => !isSlow || (await wait(2_000, false, { ref: false }));
      const slow = await startServer({ checks: { database: async () => true, storage } });
      await fetch(`${slow.url}/readyz`);
      isSlow = true;
      const startedAtMs = performance.now();
      const response = await fetch(`${slow.url}/readyz?exclude=storage`);
      expect(await response.json()).toEqual({ status: 'ready', checks: { database: 'ok', storage: 'ok' } });
      expect(performance.now() - startedAtMs).toBeLessThan(1_500);
      await slow.drain();
    });

    it('are in the metrics, like the others', async () => {
      const text = await (await fetch(`${failing.url}/metrics`)).text();
      expect(text.split('\n').filter((line) => line.startsWith('readiness_check'))).toEqual([
        'readiness_check{check="database"} 1',
        'readiness_check{check="writes"} 0',
        'readiness_check{check="storage"} 0',
      ]);
    });
  });

  it('counts requests by route and status, with no label that clients can invent', async () => {
    await fetch(`${server.url}/made-up-by-a-client`);
    await post(server.graphqlUrl, { query: '{ me { id } }' });
    const text = await (await fetch(`${server.url}/metrics`)).text();
    expect(text).toMatch(
      /http_request_duration_seconds_count\{method="POST",route="\/api\/v1\/admin\/graphql",status="200"\} [1-9]/,
    );
    expect(text).toMatch(/http_request_duration_seconds_count\{method="GET",route="none",status="404"\} [1-9]/);
    expect(text).not.toContain('made-up');
  });
});

describe('an address without a route', () => {
  it('is answered with a problem', async () => {
    const response = await fetch(`${server.url}/nowhere?token=x`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
    ]);
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'There is nothing at this address.',
      code: 'NOT_FOUND',
    });
  });

  it.each(['/%', '/%c0%af', '/api/v1/admin/%zz'])('may be an invalid address: %s', async (path) => {
    const text = await sendRaw(server.url, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 40[04] .*application\/problem\+json/s);
  });

  // docs/reliability-tests.md: 38
  it.each(['POST /nowhere', 'PUT /nowhere', 'POST /healthz'])('is answered before a body is read: %s', async (line) => {
    const head = `${line} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n`;
    expect(await sendRaw(server.url, `${head}{"a`)).toMatch(/^HTTP\/1\.1 404 .*application\/problem\+json/s);
  });
});

describe('a request line', () => {
  it('is logged once, with the caller and the operations, and without secrets', async () => {
    const answer = await post(`${server.graphqlUrl}?secret=1`, {
      query: '{ me { id } getThing(id: "not-found") { name } }',
      variables: { secret: 1 },
    });
    const own = server.lines.filter((line) => line['requestId'] === answer.headers.get('x-request-id'));
    expect(own).toHaveLength(1);
    expect(own[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/admin/graphql',
      status: 200,
      ip: '127.0.0.1',
      merchantId: 'merchant-1',
      authorizedAppId: 'app-1',
      operations: ['me', 'getThing'],
      errorCodes: ['NOT_FOUND'],
    });
    expect(JSON.stringify(own)).not.toMatch(/secret|full/);
  });

  // docs/reliability-tests.md: 43
  it('cannot be forged by a client', async () => {
    await sendRaw(
      server.url,
      'GET /a%0d%0a{"level":60}\u001b[31m HTTP/1.1\r\nHost: x\r\nUser-Agent: {"level":60}\r\nX-Request-Id: forged\r\n\r\n',
    );
    expect(server.lines.filter(({ level, requestId }) => level === 60 || requestId === 'forged')).toEqual([]);
  });
});

describe('malformed HTTP', () => {
  const body = '{"query":"{__typename}"}';
  const length = `Content-Length: ${body.length}`;
  const head = 'POST /api/v1/admin/graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  // docs/reliability-tests.md: 3, 39
  it.each([
    ['both lengths', `${head}${length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`],
    ['two lengths', `${head}${length}\r\nContent-Length: 3\r\n\r\n${body}`],
    ['a length that is not a number', `${head}Content-Length: +24\r\n\r\n${body}`],
    ['a space before the colon', `${head}${length.replace(':', ' :')}\r\n\r\n${body}`],
    ['a folded header', `${head}X: a\r\n b\r\n${length}\r\n\r\n${body}`],
    ['an unknown transfer encoding', `${head}Transfer-Encoding: xchunked\r\n\r\n${body}`],
    ['a header of 20 kB', `${head}X: ${'a'.repeat(20_000)}\r\n${length}\r\n\r\n${body}`],
    ['no host', `GET /healthz HTTP/1.1\r\n\r\n`],
  ])('is refused and the connection closed: %s', async (_, bytes) => {
    const text = await sendRaw(server.url, bytes, { untilClosed: true });
    expect(text).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  // docs/reliability-tests.md: 38
  it('is refused when the body exceeds the limit', async () => {
    const chunk = `${(1024 * 1024).toString(16)}\r\n${' '.repeat(1024 * 1024)}\r\n`;
    const text = await sendRaw(
      server.url,
      `${head}Authorization: Bearer full\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(11)}`,
      { untilClosed: true },
    );
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('a connection that several merchants share, as behind a proxy', () => {
  const path = '/api/v1/admin/graphql';
  const query = '{"query":"{ me { merchantId } }"}';
  const request = (token: string, body = query, headers = '') =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${token}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
  beforeAll(() => void server.sessions.set('other', { ...server.sessions.get('full')!, merchantId: 'merchant-2' }));
  afterAll(() => void server.sessions.delete('other'));

  // docs/reliability-tests.md: 39
  it('gives each pipelined request its own answer, in order, and does not read a body as a request', async () => {
    const hidden = request('full', '{"query":"mutation { saveThing(input: {name: \\"hidden\\"}) { id } }"}');
    const unread = `POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`;
    const before = server.calls.length;
    const requests = [request('full'), request('other'), request('wrong', hidden), unread, request('other')];
    const last = request('full', query, 'Connection: close\r\n');
    const text = await sendRaw(server.url, [...requests, last].join(''), { untilClosed: true });
    const answers = text.match(/HTTP\/1\.1 \d+|merchant-\d/g)!.map((found) => found.replace('HTTP/1.1 ', ''));
    expect(answers.join(' ')).toBe('200 merchant-1 200 merchant-2 401 404 200 merchant-2 200 merchant-1');
    expect(server.calls.slice(before)).toEqual(['me', 'me', 'me', 'me']);
  });

  // docs/reliability-tests.md: 39
  it.each([
    ['a web socket', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'],
    [
      'HTTP/2, as clients in Java do',
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n',
    ],
  ])('continues with HTTP/1.1 after a request that offers %s', async (_, headers) => {
    const socket = open(server.url);
    const answers: string[] = [];
    for (const text of [request('full', query, headers), request('other')]) {
      socket.write(text);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      answers.push(answer.toString());
    }
    socket.destroy();
    expect(answers.map((answer) => /^HTTP\/1\.1 (\d+)[^]*(merchant-\d)/.exec(answer)?.slice(1))).toEqual([
      ['200', 'merchant-1'],
      ['200', 'merchant-2'],
    ]);
  });
});

describe('a limit on requests', () => {
  // docs/reliability-tests.md: 8
  it('counts each app separately, and says when to try again', async () => {
    const limited = await startServer({ rateLimitPerMinute: 2 });
    limited.sessions.set('other', { ...limited.sessions.get('full')!, authorizedAppId: 'app-2' });
    const ask = (token: string | null) => post(limited.graphqlUrl, { query: '{ __typename }' }, { token });
    await ask('full');
    await ask('full');
    const refused = await ask('full');
    expect([refused.status, codes(refused)]).toEqual([429, ['RATE_LIMITED']]);
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(0);
    expect(refused.body.errors![0]!.extensions).toEqual({ code: 'RATE_LIMITED', retryAfter });
    expect((await ask('other')).status).toBe(200);
    expect([(await ask('wrong')).status, (await ask('wrong')).status, (await ask('wrong')).status]).toEqual([
      401, 401, 429,
    ]);
    await limited.drain();
  });

  it('refuses no longer than a minute when the clock is set back', async () => {
    const limited = await startServer({ rateLimitPerMinute: 1 });
    const ask = () => post(limited.graphqlUrl, { query: '{ __typename }' }, { token: 'full' });
    await ask();
    const hourAgo = Date.now() - 3_600_000;
    const clock = vi.spyOn(Date, 'now').mockReturnValue(hourAgo);
    const refused = await ask();
    clock.mockRestore();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    await limited.drain();
  });

  it('counts requests for pages by address, apart from those of the API', async () => {
    const limited = await startServer({
      pageRoutes: [consoleRoutes],
      pageRateLimitPerMinute: 3,
      rateLimitPerMinute: 1,
    });
    const load = async (path: string) => await fetch(`${limited.url}${path}`);
    const paths = ['/console', '/console/console.js', '/console', '/console'];
    const statuses = [];
    for (const path of paths) statuses.push((await load(path)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(Number((await load('/console')).headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await post(limited.graphqlUrl, { query: '{ __typename }' }, { token: 'full' })).status).toBe(200);
    await limited.drain();
  });

  // docs/reliability-tests.md: 44
  it('cannot be evaded with a forged client address', async () => {
    const limited = await startServer({ rateLimitPerMinute: 1 });
    const ask = (address: string) =>
      post(limited.graphqlUrl, { query: '{ __typename }' }, { token: null, headers: { 'x-forwarded-for': address } });
    expect([(await ask('10.0.0.1')).status, (await ask('10.0.0.2')).status]).toEqual([200, 429]);
    await limited.drain();
  });
});

// The tests of these blocks wait for time limits, each with a server of its own.
describe.concurrent('a slow client', () => {
  // docs/reliability-tests.md: 37
  it.each([
    ['that sends nothing', ''],
    ['that does not end its headers', 'POST /api/v1/admin/graphql HTTP/1.1\r\nHost: x\r\nX: '],
    [
      'that does not end its body',
      'POST /api/v1/admin/graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer full\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
    ],
  ])('is disconnected: %s', async (_, start) => {
    const strict = await startServer({ timeouts: { headersMs: 500, requestMs: 800 } });
    const socket = open(strict.url);
    const closed = isClosed(socket);
    socket.write(start);
    const drip = setInterval(() => socket.write('a'), 100);
    if (start === '') clearInterval(drip);
    await closed;
    clearInterval(drip);
    expect(strict.calls).toEqual([]);
    await strict.drain();
  });
});

describe.concurrent('a body that does not arrive in time is answered with 408 in the form of its route', () => {
  const detail = 'The body was not received within 0.8 seconds.';

  it.each([
    [
      'a problem',
      '/rest',
      'application/json',
      { type: 'about:blank', title: 'Request Timeout', status: 408, detail, code: 'TIMEOUT' },
    ],
    [
      'an error of GraphQL',
      '/api/v1/admin/graphql',
      'application/json',
      { errors: [{ message: detail, extensions: { code: 'TIMEOUT' } }] },
    ],
    [
      'an error of OAuth',
      '/api/admin/oauth/token',
      'application/x-www-form-urlencoded',
      { error: 'invalid_request', error_description: detail },
    ],
  ])('%s', async (_, path, type, expected) => {
    const routes = [async (app: FastifyInstance) => void app.post('/rest', () => 'never')];
    const strict = await startServer({ timeouts: { headersMs: 500, requestMs: 800 }, routes });
    const request = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer full\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\n{`;
    const answer = await sendRaw(strict.url, request, { untilClosed: true });
    const [head, body] = answer.split('\r\n\r\n') as [string, string];
    expect(head).toMatch(/^HTTP\/1\.1 408 [^]*connection: close/);
    expect(JSON.parse(body)).toEqual(expected);
    await strict.drain();
  });
});

describe.concurrent('a request whose session is looked up for longer than its body may take', () => {
  const unavailable = Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' });
  const timeouts = { headersMs: 500, requestMs: 800 };

  it('is answered when the database has not answered', async () => {
    const slow = await startServer({
      timeouts,
      findSession: async () => {
        await wait(2_000);
        throw unavailable;
      },
    });
    const answer = await post(slow.graphqlUrl, {
      query: '{ me { id } }',
      variables: { ignored: 'x'.repeat(1_000_000) },
    });
    expect([answer.status, codes(answer)]).toEqual([503, ['SERVICE_UNAVAILABLE']]);
    await slow.drain();
  });

  it('is disconnected if it was refused and its body does not end', async () => {
    const strict = await startServer({ timeouts, findSession: () => Promise.reject(unavailable) });
    const head =
      'POST /api/v1/admin/graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer full\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{';
    expect(await sendRaw(strict.url, head, { untilClosed: true })).toMatch(/^HTTP\/1\.1 503 /);
    await strict.drain();
  });
});

describe.concurrent('health', () => {
  it('reports a check that does not end, and runs it once for concurrent requests', async () => {
    let checks = 0;
    const hanging = await startServer({
      checks: { database: async () => await new Promise(() => void (checks += 1)), queue: async () => true },
    });
    const responses = await Promise.all([1, 2, 3].map(async () => await fetch(`${hanging.url}/readyz`)));
    for (const response of responses)
      expect(await response.json()).toEqual({ status: 'not ready', checks: { database: 'failed', queue: 'ok' } });
    expect(checks).toBe(1);
    await hanging.drain();
  });
});

describe('many slow clients', () => {
  // docs/reliability-tests.md: 37
  it('are disconnected, and others are served meanwhile', async () => {
    const strict = await startServer({ timeouts: { headersMs: 1_500, requestMs: 2_000 } });
    const sockets = Array.from({ length: SLOW_CLIENTS }, () => open(strict.url));
    const closed = Promise.all(sockets.map(isClosed));
    const drip = setInterval(() => sockets.forEach((socket) => !socket.destroyed && socket.write('a')), 500);
    sockets.forEach((socket) => socket.write('POST /api/v1/admin/graphql HTTP/1.1\r\nHost: x\r\nX: '));
    expect((await post(strict.graphqlUrl, { query: '{ __typename }' })).status).toBe(200);
    await expect(closed).resolves.toHaveLength(SLOW_CLIENTS);
    clearInterval(drip);
    await strict.drain();
  });
});

describe('a server that stops', () => {
  it('answers open requests, accepts no new ones, and reports that it is not ready', async () => {
    const stopping = await startServer({ drainDelayMs: 300 });
    const inFlight = post(stopping.graphqlUrl, { query: '{ wait }' });
    await vi.waitUntil(() => stopping.calls.includes('wait'));
    const stopped = stopping.drain();
    const readiness = await fetch(`${stopping.url}/readyz`);
    expect([readiness.status, await readiness.json()]).toEqual([503, { status: 'draining' }]);
    await vi.waitUntil(async () => !(await takesConnections(stopping.url)));
    stopping.release();
    expect((await inFlight).body).toEqual({ data: { wait: true } });
    const answered = performance.now();
    await stopped;
    expect(performance.now() - answered).toBeLessThan(5_000);
  });

  it('answers a request on an open connection while it stops, and closes the connection', async () => {
    const stopping = await startServer();
    const request = (body: string) =>
      `POST /api/v1/admin/graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer full\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const socket = open(stopping.url);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.write(request('{"query":"{ wait }"}'));
    await vi.waitUntil(() => stopping.calls.includes('wait'));
    const stopped = stopping.drain();
    await vi.waitUntil(async () => !(await takesConnections(stopping.url)));
    socket.write(request('{"query":"{ getThing(id: \\"2\\") { id } }"}'));
    await vi.waitUntil(() => stopping.calls.includes('getThing'));
    stopping.release();
    await Promise.all([stopped, once(socket, 'close')]);
    expect(text.match(/HTTP\/1\.1 (\d+)/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(text).toMatch(/connection: close[^]*\{"data":\{"getThing":\{"id":"2"\}\}\}$/i);
  });

  it('does not wait for idle connections', async () => {
    const stopping = await startServer();
    const agent = new Agent({ keepAlive: true });
    const [response] = (await once(httpGet(`${stopping.url}/healthz`, { agent }), 'response')) as [
      NodeJS.ReadableStream,
    ];
    response.resume();
    await once(response, 'end');
    const start = performance.now();
    await stopping.drain();
    expect(performance.now() - start).toBeLessThan(5_000);
    agent.destroy();
  });
});

it('listens on one address of localhost, since a stop does not wait for requests of a second one', async () => {
  const addressesOf = (host: string): string[] => (host === 'localhost' ? ['127.0.0.1', '127.0.0.2'] : [host]);
  const lookup = vi.spyOn(dns, 'lookup').mockImplementation(((host: string, _: object, done: LookupAll) => {
    const addresses = addressesOf(host).map((address) => ({ address, family: 4 }));
    done(null, addresses);
  }) as typeof dns.lookup);
  const local = await startServer({}, 'localhost');
  lookup.mockRestore();
  expect(await takesConnections(local.url)).toBe(true);
  expect(await takesConnections(local.url.replace('127.0.0.1', '127.0.0.2'))).toBe(false);
  await local.drain();
});

it('listens on the IPv4 address of localhost, also if the resolver has the IPv6 address first', async () => {
  const address = async (_: string, { order }: dns.LookupOneOptions = {}) =>
    order === 'ipv4first' ? { address: '127.0.0.1', family: 4 } : { address: '::1', family: 6 };
  const lookup = vi.spyOn(dns.promises, 'lookup').mockImplementation(address as typeof dns.promises.lookup);
  syncBuiltinESMExports();
  try {
    const local = await startServer({}, 'localhost');
    expect(new URL(local.url).hostname).toBe('127.0.0.1');
    await local.drain();
  } finally {
    lookup.mockRestore();
    syncBuiltinESMExports();
  }
});

/** Not `once` of node:events, which rejects if the connection is reset. A reset is expected too. */
async function isClosed(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) =>
    socket
      .on('error', () => {})
      .once('close', () => resolve())
      .resume(),
  );
}

async function takesConnections(url: string): Promise<boolean> {
  const socket = open(url);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
