import { Agent } from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import { expect, test } from 'vitest';
import { openOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import { request, type OutboundAnswer, type OutboundRequest } from '../../src/outbound/request.ts';
import { guardedLookup } from '../../src/outbound/resolve.ts';
import { listenHttp } from './receiver.ts';

const OPEN = { allowHttp: true, allowPrivate: true };
const HTTP_ONLY = { allowHttp: true, allowPrivate: false };

function get(
  url: string,
  options: Partial<OutboundRequest> = {},
  outbound = openOutbound(OPEN),
): Promise<OutboundAnswer> {
  return request(outbound, { url, timeoutMs: 5_000, maxBodyBytes: 1_000, ...options });
}

function answer(head: string, body = ''): (socket: Socket) => void {
  return (socket) => socket.write(`HTTP/1.1 ${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
}

test.each([301, 302, 303, 307, 308])('status %i is a final answer if no redirects are allowed', async (status) => {
  const { port, connections } = await listenHttp(answer(`${status} Moved\r\nlocation: /elsewhere`));
  expect(await get(`http://127.0.0.1:${port}/`)).toMatchObject({ ok: true, statusCode: status });
  const posted = await get(`http://127.0.0.1:${port}/`, { body: '{}', maxRedirects: 3 });
  expect(posted).toMatchObject({ ok: true, statusCode: status });
  expect(connections()).toBe(2);
});

// docs/reliability-tests.md: 72
test('follows as many redirects as are allowed, also relative ones, and not one more', async () => {
  const { port } = await listenHttp((socket, text) => {
    const step = Number(/GET \/(\d)/.exec(text)![1]);
    answer(step === 0 ? '200 OK' : `302 Found\r\nlocation: ${step - 1}#part`, 'arrived')(socket);
  });
  expect(await get(`http://127.0.0.1:${port}/3`, { maxRedirects: 3 })).toMatchObject({ ok: true, statusCode: 200 });
  expect(await get(`http://127.0.0.1:${port}/4`, { maxRedirects: 3 })).toEqual({
    ok: false,
    failure: 'too many redirects',
  });
});

test.each(['utf8', 'latin1'] as const)('follows a redirect to a path with letters in %s', async (encoding) => {
  const paths: string[] = [];
  const { port } = await listenHttp((socket, text) => {
    const [, path] = /GET (\S+)/.exec(text)!;
    paths.push(path!);
    const response = `HTTP/1.1 302 Found\r\nlocation: /m\xe9dias/1\r\ncontent-length: 0\r\n\r\n`;
    if (path === '/') socket.write(Buffer.from(response, encoding));
    else answer('200 OK', 'arrived')(socket);
  });
  expect(await get(`http://127.0.0.1:${port}/`, { maxRedirects: 1 })).toMatchObject({ ok: true, statusCode: 200 });
  expect(paths).toEqual(['/', '/m%C3%A9dias/1']);
});

// docs/reliability-tests.md: 72
test.each([
  'http://127.0.0.1:PORT/',
  'http://localhost:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  '//127.0.0.1:PORT/',
  'http://private.example:PORT/',
  'http://user:password@public.example:PORT/',
  'http://public.example:22/',
  'file:///etc/passwd',
  'gopher://public.example/',
  'data:text/plain,x',
  'http://[',
  'http:\\\\127.0.0.1:PORT/',
])('a redirect to %s is refused before anything is connected to', async (target) => {
  const canary = await listenHttp(answer('200 OK'));
  const location = target.replace('PORT', String(canary.port));
  const { port } = await listenHttp(answer(`302 Found\r\nlocation: ${location}`));
  // The first host is allowed as if it were public. Only its redirect is checked strictly.
  const open = openOutbound(OPEN, async () => ['127.0.0.1']);
  const strict = openOutbound(HTTP_ONLY, async () => ['127.0.0.1']);
  const outbound = { ...strict, agent: { ...strict.agent, http: routed(open, strict) } };
  const answered = await get(`http://public.example:${port}/`, { maxRedirects: 3 }, outbound);
  expect(answered).toEqual({ ok: false, failure: 'refused address' });
  expect(canary.connections()).toBe(0);
});

test('redirects share one time limit', async () => {
  const { port } = await listenHttp((socket) => {
    setTimeout(answer('302 Found\r\nlocation: /'), 300, socket);
  });
  const startedAtMs = performance.now();
  const answered = await get(`http://127.0.0.1:${port}/`, { maxRedirects: 3, timeoutMs: 500 });
  expect(answered).toEqual({ ok: false, failure: 'timeout' });
  expect(performance.now() - startedAtMs).toBeLessThan(5_000);
});

test('the endless body of a redirect is not read', async () => {
  const { port } = await listenHttp((socket, text) => {
    if (text.startsWith('GET /next')) {
      return answer('200 OK', 'done')(socket);
    }
    socket.write('HTTP/1.1 302 Found\r\nlocation: /next\r\ncontent-length: 100000000\r\n\r\nxxx');
  });
  const startedAtMs = performance.now();
  expect(await get(`http://127.0.0.1:${port}/`, { maxRedirects: 1 })).toMatchObject({ ok: true, statusCode: 200 });
  expect(performance.now() - startedAtMs).toBeLessThan(5_000);
});

/** An agent that connects `public.example` to loopback, and checks every other host. */
function routed(open: Outbound, strict: Outbound): Agent {
  const lookup: LookupFunction = (host, options, callback) => {
    const policy = host === 'public.example' ? open.policy : strict.policy;
    guardedLookup(async () => ['127.0.0.1'], policy)(host, options, callback);
  };
  return new Agent({ lookup });
}
