import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { openOutbound } from '../../src/outbound/outbound.ts';
import { envelope } from '../../src/webhook/envelope.ts';
import { push, type PushResult } from '../../src/webhook/push.ts';
import { signatureHeaders } from '../../src/webhook/signature.ts';
import { listen, listenHttp, type Receiver } from '../outbound/receiver.ts';

const OPEN = { allowHttp: true, allowPrivate: true };
const BUDGET_MS = 10_000;
const HEAD = 'HTTP/1.1 200 OK\r\n';
const BOMB = gzipSync(Buffer.alloc(50_000_000));

function pushTo({ port }: { port: number }, timeoutMs?: number): Promise<PushResult> {
  const endpoint = `http://127.0.0.1:${port}/hook`;
  return push(openOutbound(OPEN), { endpoint, body: '{"data":"{}"}', headers: { 'webhook-id': '1' }, timeoutMs });
}

/** Writes one byte after another, one each interval, until the other side has had enough. */
function drip(socket: Socket, text: string, intervalMs: number): void {
  let at = 0;
  const timer = setInterval(() => socket.write(text[at++ % text.length]!), intervalMs);
  socket.on('close', () => clearInterval(timer));
}

/** Writes the same piece for as long as the other side takes it. */
function pour(socket: Socket, piece: string | Buffer): void {
  const next = (): void => {
    while (socket.writable && socket.write(piece));
  };
  socket.on('drain', next);
  next();
}

function retainedBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test('the receiver gets one POST with the body, its type and its signature', async () => {
  const requests: string[] = [];
  const { port, connections } = await listenHttp((socket, text) => {
    requests.push(text);
    socket.end(`${HEAD}content-length: 0\r\n\r\n`);
  });
  const delivery = { id: 'd1', createdAt: new Date(), scope: 'store/customer/created', merchantId: 'm1' };
  const body = envelope({ ...delivery, authorizedAppId: 'a1', sequence: 1, data: '{"name":"Şule"}' }, 'secret');
  const headers = signatureHeaders('d1', new Date(), body, 'secret');
  const endpoint = `http://127.0.0.1:${port}/hook?shop=1`;
  const result = await push(openOutbound(OPEN), { endpoint, body, headers });
  expect(result).toEqual({ delivered: true, statusCode: 200, error: null, durationMs: expect.any(Number) });
  expect([connections(), requests.length]).toEqual([1, 1]);

  const [head, received] = requests[0]!.split('\r\n\r\n') as [string, string];
  expect(head).toMatch(/^POST \/hook\?shop=1 HTTP\/1\.1\r\n/);
  expect(head).toMatch(/^content-type: application\/json\r?$/im);
  const sent = Object.fromEntries([...head.matchAll(/^(webhook-[a-z]+): (.*?)\r?$/gm)].map(([, name, value]) => [name, value]));
  expect(new Webhook(Buffer.from('secret').toString('base64')).verify(received, sent)).toEqual(JSON.parse(body));
});

test('only status 200 is success, in a sweep over all there are', async () => {
  let requests = 0;
  const { port } = await listenHttp((socket, text) => {
    requests += 1;
    const status = /\/hook\/(\d+)/.exec(text)![1];
    socket.end(`HTTP/1.1 ${status} Status\r\nlocation: /hook/200\r\nconnection: close\r\n\r\n`);
  });
  const outbound = openOutbound(OPEN);
  const delivered: number[] = [];
  for (let status = 200; status <= 999; status += 1) {
    const result = await push(outbound, { endpoint: `http://127.0.0.1:${port}/hook/${status}`, body: '{}', headers: {} });
    expect(result).toMatchObject({ statusCode: status, error: null });
    if (result.delivered) {
      delivered.push(status);
    }
  }
  expect(delivered).toEqual([200]);
  expect(requests).toBe(800);
});

test('a 1xx status is no answer, and neither is a status that is none', async () => {
  const { port } = await listenHttp((socket, text) => {
    socket.end(`HTTP/1.1 ${/\/hook\/(\S+)/.exec(text)![1]} Status\r\nconnection: close\r\n\r\n`);
  });
  const outbound = openOutbound(OPEN);
  const statuses = Array.from({ length: 100 }, (_, index) => String(100 + index));
  for (const status of [...statuses, '2000', '20', '-200', '2e2', '0x200', 'OK']) {
    const result = await push(outbound, { endpoint: `http://127.0.0.1:${port}/hook/${status}`, body: '{}', headers: {} });
    expect([status, result]).toMatchObject([status, { delivered: false }]);
    expect([null, 101]).toContain(result.statusCode);
  }
});

test('a private endpoint is refused at sending without a connection', async () => {
  const receiver = await listen((socket) => socket.resume());
  const outbound = openOutbound({ allowHttp: true, allowPrivate: false });
  const endpoint = `http://127.0.0.1:${receiver.port}/`;
  const result = await push(outbound, { endpoint, body: '{}', headers: {} });
  expect(result).toMatchObject({ delivered: false, statusCode: null, error: 'refused address' });
  expect(receiver.connections()).toBe(0);
});

test('receivers that keep a push waiting end it within its ten seconds, and leave no connection', async () => {
  const behaviours: [name: string, expected: Partial<PushResult>, onConnection: (socket: Socket) => void][] = [
    ['never reads', { error: 'timeout' }, () => {}],
    ['never answers', { error: 'timeout' }, (socket) => socket.resume()],
    ['drips the status line', { error: 'timeout' }, (socket) => drip(socket.resume(), 'HTTP/1.1 200 OK and so on', 1_000)],
    ['drips headers', { error: 'timeout' }, (socket) => socket.resume().write(HEAD, () => drip(socket, 'a: b\r\n', 1_000))],
    ['drips 1xx', { error: 'timeout' }, (socket) => drip(socket.resume(), 'HTTP/1.1 102 P\r\n\r\n', 100)],
    ['drips its body', { delivered: true }, (socket) => socket.resume().write(`${HEAD}\r\n`, () => drip(socket, 'x', 1_000))],
    ['never ends its body', { delivered: true }, (socket) => socket.resume().write(`${HEAD}content-length: 9\r\n\r\n`)],
    ['drips a failure', { statusCode: 500 }, (socket) => socket.resume().write('HTTP/1.1 500 No\r\n\r\n', () => drip(socket, 'x', 1_000))],
  ];
  const receivers = await Promise.all(behaviours.map(([, , onConnection]) => listen(onConnection)));
  const results = await Promise.all(receivers.map((receiver) => pushTo(receiver)));
  results.forEach((result, index) => {
    const [name, expected] = behaviours[index]!;
    expect([name, result]).toMatchObject([name, { delivered: false, ...expected }]);
    expect([name, result.durationMs < BUDGET_MS + 500]).toEqual([name, true]);
    expect(receivers[index]!.connections()).toBe(1);
  });
  // A receiver that never reads never sees the end of its connection either.
  await expect.poll(() => receivers.slice(1).map((receiver) => receiver.openSockets())).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

test.each<[string, Partial<PushResult>, (socket: Socket) => void]>([
  ['10 GB of body', { delivered: true, statusCode: 200 }, (socket) => socket.write(`${HEAD}content-length: 10000000000\r\n\r\n`, () => pour(socket, 'x'.repeat(65_536)))],
  ['a body without end', { delivered: true, statusCode: 200 }, (socket) => socket.write(`${HEAD}\r\n`, () => pour(socket, 'x'.repeat(65_536)))],
  ['chunks without end', { delivered: true, statusCode: 200 }, (socket) => socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`, () => pour(socket, '1\r\nx\r\n'.repeat(1_000)))],
  ['a gzip bomb', { delivered: true, statusCode: 200 }, (socket) => socket.end(Buffer.concat([Buffer.from(`${HEAD}content-encoding: gzip\r\n\r\n`), BOMB]))],
  ['headers without end', { delivered: false, error: 'too large' }, (socket) => socket.write(HEAD, () => pour(socket, 'a: b\r\n'.repeat(1_000)))],
  ['100,000 headers', { delivered: false, error: 'too large' }, (socket) => socket.end(`${HEAD}${'a: b\r\n'.repeat(100_000)}\r\n`)],
  ['a header without end', { delivered: false, error: 'too large' }, (socket) => socket.write(`${HEAD}a: `, () => pour(socket, 'x'.repeat(65_536)))],
  ['1xx without end', { delivered: false, error: 'invalid response' }, (socket) => pour(socket, 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100))],
  ['a failure without end', { delivered: false, statusCode: 500 }, (socket) => socket.write('HTTP/1.1 500 No\r\n\r\n', () => pour(socket, 'x'.repeat(65_536)))],
])('a receiver that sends %s costs neither time nor memory', async (_what, expected, respond) => {
  let written = 0;
  const receiver = await listenHttp((socket) => {
    socket.on('close', () => (written += socket.bytesWritten));
    respond(socket);
  });
  await Promise.all(Array.from({ length: 10 }, () => pushTo(receiver)));
  const before = { rss: process.memoryUsage.rss(), retained: retainedBytes() };
  for (let round = 0; round < 10; round += 1) {
    const results = await Promise.all(Array.from({ length: 10 }, () => pushTo(receiver)));
    expect(results).toMatchObject(results.map(() => expected));
    expect(Math.max(...results.map(({ durationMs }) => durationMs))).toBeLessThan(2_000);
  }
  await expect.poll(receiver.openSockets).toBe(0);
  expect(process.memoryUsage.rss() - before.rss).toBeLessThan(256_000_000);
  await expect.poll(() => retainedBytes() - before.retained).toBeLessThan(5_000_000);
  // What socket buffers hold is written too, but nothing like what the receiver had to send.
  expect(written / 110).toBeLessThan(8_000_000);
});

test('a reset after the status line leaves a 200 a 200', async () => {
  const receiver = await listenHttp((socket) => {
    socket.write(`${HEAD}content-length: 10\r\n\r\n`, () => setTimeout(() => socket.resetAndDestroy(), 50));
  });
  expect(await pushTo(receiver)).toMatchObject({ delivered: true, statusCode: 200, error: null });
});

test('a receiver that hangs delays no push to another', async () => {
  const hanging = await listen((socket) => socket.resume());
  const quick = await listenHttp((socket) => socket.end(`${HEAD}connection: close\r\n\r\n`));
  const outbound = openOutbound(OPEN);
  const send = ({ port }: Receiver, timeoutMs: number): Promise<PushResult> =>
    push(outbound, { endpoint: `http://127.0.0.1:${port}/`, body: '{}', headers: {}, timeoutMs });
  const stuck = Array.from({ length: 200 }, () => send(hanging, 1_500));
  const results = await Promise.all(Array.from({ length: 50 }, () => send(quick, 1_000)));
  expect(results.every(({ delivered }) => delivered)).toBe(true);
  expect(new Set((await Promise.all(stuck)).map(({ error }) => error))).toEqual(new Set(['timeout']));
});

test('a push that is stopped says so', async () => {
  const { port } = await listen((socket) => socket.resume());
  const endpoint = `http://127.0.0.1:${port}/`;
  const result = await push(openOutbound(OPEN), { endpoint, body: '{}', headers: {}, signal: AbortSignal.timeout(50) });
  expect(result).toMatchObject({ delivered: false, statusCode: null, error: 'stopped' });
});

test('a failure says one word and nothing of what is inside', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const result = await pushTo({ port });
  expect(result).toEqual({ delivered: false, statusCode: null, error: 'connection refused', durationMs: expect.any(Number) });
  expect(JSON.stringify(result)).not.toContain('127.0.0.1');
});
