import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import { request, type OutboundAnswer, type OutboundRequest } from '../../src/outbound/request.ts';
import type { Span } from '../../src/tracing/span.ts';
import { listen, listenHttp } from './receiver.ts';

const OPEN = { allowHttp: true, allowPrivate: true };

function get(url: string, options: Partial<OutboundRequest> = {}, outbound?: Outbound): Promise<OutboundAnswer> {
  const opened = outbound ?? openOutbound(OPEN, async () => ['127.0.0.1']);
  return request(opened, { url, timeoutMs: 5_000, maxBodyBytes: 1_000, ...options });
}

function answer(head: string, body: string | Buffer = ''): (socket: Socket) => void {
  return (socket) => {
    const bytes = Buffer.from(body);
    socket.write(`HTTP/1.1 ${head}\r\ncontent-length: ${bytes.length}\r\n\r\n`);
    socket.write(bytes);
  };
}

test('a request without a body is a GET that accepts no compression and sends no cookie', async () => {
  const requests: string[] = [];
  const { port } = await listenHttp((socket, text) => {
    requests.push(text);
    answer('200 OK\r\nset-cookie: a=b', 'hello')(socket);
  });
  const outbound = openOutbound(OPEN);
  const first = await get(`http://localhost:${port}/picture?a=b`, { headers: { accept: 'image/*' } }, outbound);
  await get(`http://localhost:${port}/picture?a=b`, {}, outbound);
  expect(first).toMatchObject({ ok: true, statusCode: 200, truncated: null });
  expect(first.ok && first.body.toString()).toBe('hello');
  expect(requests[0]).toMatch(/^GET \/picture\?a=b HTTP\/1\.1\r\n/);
  expect(requests[0]).toMatch(/^accept-encoding: identity\r$/im);
  expect(requests[0]).toMatch(/^accept: image\/\*\r$/im);
  expect(requests.join()).not.toMatch(/cookie/i);
});

test('a request with a body is a POST of these bytes', async () => {
  const requests: string[] = [];
  const { port } = await listenHttp((socket, text) => {
    requests.push(text);
    answer('200 OK')(socket);
  });
  await get(`http://localhost:${port}/`, { body: '{"name":"Çay"}' });
  await get(`http://localhost:${port}/`, { body: '' });
  expect(requests[0]).toMatch(/^POST \/ HTTP\/1\.1\r\n[^]*content-length: 15\r\n[^]*\r\n\r\n\{"name":"Çay"\}$/i);
  expect(requests[1]).toMatch(/^POST /);
});

test('connections are kept and used again, also after an answer that takes longer than idle connections are kept', async () => {
  const { port, connections } = await listenHttp((socket, text) => {
    setTimeout(answer('200 OK', 'x'), text.startsWith('GET /slow') ? 2_000 : 0, socket);
  });
  const outbound = openOutbound(OPEN, async () => ['127.0.0.1']);
  for (const path of ['fast', 'fast', 'slow', 'fast']) {
    expect(await get(`http://kept.example:${port}/${path}`, {}, outbound)).toMatchObject({ ok: true, truncated: null });
  }
  expect(connections()).toBe(1);
});

// docs/reliability-tests.md: 75
test('a kept connection is not used for another origin with the same address, and is closed when idle', async () => {
  const { port, connections, openSockets } = await listenHttp(answer('200 OK'));
  const outbound = openOutbound(OPEN, async () => ['127.0.0.1']);
  await get(`http://one.example:${port}/`, {}, outbound);
  await get(`http://two.example:${port}/`, {}, outbound);
  expect([connections(), openSockets()]).toEqual([2, 2]);
  await expect.poll(openSockets, { timeout: 5_000 }).toBe(0);
});

test('a hundred requests to one origin run at once', async () => {
  const waiting: Socket[] = [];
  const { port } = await listenHttp((socket) => {
    waiting.push(socket);
    if (waiting.length === 100) {
      waiting.forEach(answer('200 OK'));
    }
  });
  const outbound = openOutbound(OPEN);
  const answers = await Promise.all(Array.from({ length: 100 }, () => get(`http://127.0.0.1:${port}/`, {}, outbound)));
  expect(answers.every(({ ok }) => ok)).toBe(true);
  outbound.close();
});

test('a body is complete up to the limit, and shortened if it is one byte longer', async () => {
  const { port, openSockets } = await listenHttp((socket, text) => {
    answer('200 OK', 'x'.repeat(Number(/\d+/.exec(text)![0])))(socket);
  });
  const whole = await get(`http://127.0.0.1:${port}/1000`);
  expect(whole).toMatchObject({ ok: true, truncated: null });
  expect(whole.ok && whole.body.length).toBe(1_000);
  const cut = await get(`http://127.0.0.1:${port}/1001`);
  expect(cut).toMatchObject({ ok: true, truncated: 'too large' });
  expect(cut.ok && cut.body.length).toBe(1_000);
  await expect.poll(openSockets, { timeout: 5_000 }).toBe(0);
});

test('a body in chunks of one byte is given up early, but not one in chunks of some hundred bytes', async () => {
  const { port } = await listenHttp((socket, text) => {
    const chunk = text.startsWith('GET /fine') ? '1\r\nx\r\n' : `c8\r\n${'x'.repeat(200)}\r\n`;
    socket.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(5_000)}0\r\n\r\n`);
  });
  const options = { maxBodyBytes: 1_000_000 };
  const fine = await get(`http://127.0.0.1:${port}/fine`, options);
  expect(fine).toMatchObject({ ok: true, truncated: 'too large' });
  expect(fine.ok && fine.body.length).toBeLessThan(1_000);
  const coarse = await get(`http://127.0.0.1:${port}/coarse`, options);
  expect(coarse).toMatchObject({ ok: true, truncated: null });
  expect(coarse.ok && coarse.body.length).toBe(1_000_000);
});

test('a compressed body is not decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(1_000_000));
  const { port } = await listenHttp(answer('200 OK\r\ncontent-encoding: gzip', bomb));
  const received = await get(`http://127.0.0.1:${port}/`, { maxBodyBytes: 10_000 });
  expect(received.ok && received.body.equals(bomb)).toBe(true);
});

test('an answer counts when its head has arrived, and has the reason if its body is incomplete', async () => {
  const { port } = await listenHttp((socket, text) => {
    if (text.startsWith('GET /chunks')) {
      return socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nxyz');
    }
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc');
    if (text.startsWith('GET /reset')) {
      setTimeout(() => socket.resetAndDestroy(), 50);
    } else if (text.startsWith('GET /end')) {
      setTimeout(() => socket.end(), 50);
    }
  });
  const reset = await get(`http://127.0.0.1:${port}/reset`);
  expect(reset).toMatchObject({ ok: true, statusCode: 200, truncated: 'connection reset' });
  expect(reset.ok && reset.body.toString()).toBe('abc');
  expect(await get(`http://127.0.0.1:${port}/end`)).toMatchObject({ ok: true, truncated: 'connection reset' });
  expect(await get(`http://127.0.0.1:${port}/chunks`)).toMatchObject({ ok: true, truncated: 'invalid response' });
  const options = { bodyTimeoutMs: 100 };
  expect(await get(`http://127.0.0.1:${port}/hang`, options)).toMatchObject({ ok: true, truncated: 'timeout' });
});

test.each<[string, string, (socket: Socket) => void]>([
  ['closes at once', 'connection reset', (socket) => socket.end()],
  ['resets', 'connection reset', (socket) => socket.resetAndDestroy()],
  [
    'resets within the status line',
    'connection reset',
    (socket) => socket.write('HTTP/1.1 2', () => socket.resetAndDestroy()),
  ],
  ['says nothing', 'timeout', () => {}],
  ['stops within the headers', 'timeout', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-le')],
  ['speaks another protocol', 'invalid response', (socket) => socket.end('220 mail.example ESMTP\r\n')],
  ['sends a header with a NUL', 'invalid response', (socket) => socket.end('HTTP/1.1 200 OK\r\na: \0\r\n\r\n')],
  [
    'sends two lengths of its body',
    'invalid response',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n'),
  ],
  [
    'sends a header of 1 MB',
    'too large',
    (socket) => socket.end(`HTTP/1.1 200 OK\r\na: ${'x'.repeat(1_000_000)}\r\n\r\n`),
  ],
  [
    'sends 100,000 headers',
    'too large',
    (socket) => socket.end(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(100_000)}\r\n`),
  ],
  [
    'switches protocols',
    'invalid response',
    (socket) => socket.write('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  ],
  [
    'sends endless 1xx responses',
    'invalid response',
    (socket) => socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(1_000)),
  ],
  [
    'sends endless 100 responses',
    'invalid response',
    (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000)),
  ],
])('a server that %s is the failure "%s", and its connection is closed', async (_what, failure, respond) => {
  const { port, openSockets } = await listenHttp(respond);
  expect(await get(`http://127.0.0.1:${port}/`, { timeoutMs: 500 })).toEqual({ ok: false, failure });
  await expect.poll(openSockets).toBe(0);
});

test('a final response after some interim ones counts', async () => {
  const { port } = await listenHttp((socket) => {
    socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n');
    answer('200 OK')(socket);
  });
  expect(await get(`http://127.0.0.1:${port}/`)).toMatchObject({ ok: true, statusCode: 200 });
});

test('a port on which nothing listens is "connection refused", a name without addresses is "dns"', async () => {
  const { port, close } = await listen((socket) => socket.resume());
  await close();
  expect(await get(`http://127.0.0.1:${port}/`)).toEqual({ ok: false, failure: 'connection refused' });
  const nowhere = openOutbound(OPEN, async () => []);
  expect(await get('http://nowhere.example/', {}, nowhere)).toEqual({ ok: false, failure: 'dns' });
});

test('the time limit covers a resolver that hangs', async () => {
  const outbound = openOutbound(OPEN, () => new Promise(() => {}));
  expect(await get('http://slow.example/', { timeoutMs: 200 }, outbound)).toEqual({ ok: false, failure: 'timeout' });
  expect(await get('http://slow.example/', { timeoutMs: 6_000 }, outbound)).toEqual({ ok: false, failure: 'dns' });
});

test('a signal stops a request that has begun, and one that has not', async () => {
  const { port, openSockets, connections } = await listen((socket) => socket.resume());
  const stopping = AbortSignal.timeout(100);
  expect(await get(`http://127.0.0.1:${port}/`, { signal: stopping })).toEqual({ ok: false, failure: 'stopped' });
  await expect.poll(openSockets).toBe(0);
  const stopped = AbortSignal.abort();
  expect(await get(`http://127.0.0.1:${port}/`, { signal: stopped })).toEqual({ ok: false, failure: 'stopped' });
  expect(connections()).toBe(1);
});

test('the span of a request ends even if the request throws', async () => {
  const ended: unknown[] = [];
  const child = {
    traceparent: '00',
    start: () => child,
    set: () => {},
    end: (outcome: unknown) => ended.push(outcome),
  };
  const broken = Object.defineProperty(openOutbound(OPEN), 'policy', {
    get: () => {
      throw new Error('a fault of ours');
    },
  });
  const sent = get('http://other.example/', { span: child as unknown as Span }, broken);
  await expect(sent).rejects.toThrow('a fault of ours');
  expect(ended).toEqual([{ error: 'exception' }]);
});
