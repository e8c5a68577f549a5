import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openOutbound } from '../../src/outbound/outbound.ts';
import { push, type PushResult } from '../../src/webhook/sending/push.ts';
import { listen, listenHttp } from '../outbound/receiver.ts';
import { collectGarbage } from '../support/collect-garbage.ts';

const BUDGET_MS = 10_000;
const HEAD = 'HTTP/1.1 200 OK\r\n';
const BOMB = gzipSync(Buffer.alloc(50_000_000));

function pushTo({ port }: { port: number }): Promise<PushResult> {
  const outbound = openOutbound({ allowHttp: true, allowPrivate: true });
  return push(outbound, { endpoint: `http://127.0.0.1:${port}/hook`, body: '{"data":"{}"}', headers: {} });
}

/** Writes one byte in each interval until the client closes the connection. */
function drip(socket: Socket, text: string, intervalMs: number): void {
  let at = 0;
  const timer = setInterval(() => socket.write(text[at++ % text.length]!), intervalMs);
  socket.on('close', () => clearInterval(timer));
}

/** Writes the same piece again and again until the client closes the connection. */
function pour(socket: Socket, piece: string | Buffer): void {
  const next = (): void => {
    while (socket.writable && socket.write(piece));
  };
  socket.on('drain', next);
  next();
}

function retainedBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

// docs/reliability-tests.md: 80
test('slow receivers end a push within ten seconds, and no connection stays open', async () => {
  const behaviours: [name: string, expected: Partial<PushResult>, onConnection: (socket: Socket) => void][] = [
    ['never reads', { error: 'timeout' }, () => {}],
    ['never answers', { error: 'timeout' }, (socket) => socket.resume()],
    [
      'sends the status line byte by byte',
      { error: 'timeout' },
      (socket) => drip(socket.resume(), 'HTTP/1.1 200 OK and so on', 1_000),
    ],
    [
      'drips headers',
      { error: 'timeout' },
      (socket) => socket.resume().write(HEAD, () => drip(socket, 'a: b\r\n', 1_000)),
    ],
    ['drips 1xx', { error: 'timeout' }, (socket) => drip(socket.resume(), 'HTTP/1.1 102 P\r\n\r\n', 100)],
    [
      'sends its body byte by byte',
      { delivered: true },
      (socket) => socket.resume().write(`${HEAD}\r\n`, () => drip(socket, 'x', 1_000)),
    ],
    ['never ends its body', { delivered: true }, (socket) => socket.resume().write(`${HEAD}content-length: 9\r\n\r\n`)],
    [
      'sends a failure byte by byte',
      { statusCode: 500 },
      (socket) => socket.resume().write('HTTP/1.1 500 No\r\n\r\n', () => drip(socket, 'x', 1_000)),
    ],
  ];
  const receivers = await Promise.all(behaviours.map(([, , onConnection]) => listen(onConnection)));
  const results = await Promise.all(receivers.map((receiver) => pushTo(receiver)));
  results.forEach((result, index) => {
    const [name, expected] = behaviours[index]!;
    expect([name, result]).toMatchObject([name, { delivered: false, ...expected }]);
    expect([name, result.durationMs < BUDGET_MS + 500]).toEqual([name, true]);
    expect(receivers[index]!.connections()).toBe(1);
  });
  // A receiver that never reads does not notice the end of its connection.
  await expect.poll(() => receivers.slice(1).map((receiver) => receiver.openSockets())).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

// docs/reliability-tests.md: 80
test.each<[string, Partial<PushResult>, (socket: Socket) => void]>([
  [
    '10 GB of body',
    { delivered: true, statusCode: 200 },
    (socket) => socket.write(`${HEAD}content-length: 10000000000\r\n\r\n`, () => pour(socket, 'x'.repeat(65_536))),
  ],
  [
    'an endless body',
    { delivered: true, statusCode: 200 },
    (socket) => socket.write(`${HEAD}\r\n`, () => pour(socket, 'x'.repeat(65_536))),
  ],
  [
    'endless chunks',
    { delivered: true, statusCode: 200 },
    (socket) =>
      socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`, () => pour(socket, '1\r\nx\r\n'.repeat(1_000))),
  ],
  [
    'a gzip bomb',
    { delivered: true, statusCode: 200 },
    (socket) => socket.end(Buffer.concat([Buffer.from(`${HEAD}content-encoding: gzip\r\n\r\n`), BOMB])),
  ],
  [
    'endless headers',
    { delivered: false, error: 'too large' },
    (socket) => socket.write(HEAD, () => pour(socket, 'a: b\r\n'.repeat(1_000))),
  ],
  [
    '100,000 headers',
    { delivered: false, error: 'too large' },
    (socket) => socket.end(`${HEAD}${'a: b\r\n'.repeat(100_000)}\r\n`),
  ],
  [
    'an endless header',
    { delivered: false, error: 'too large' },
    (socket) => socket.write(`${HEAD}a: `, () => pour(socket, 'x'.repeat(65_536))),
  ],
  [
    '1xx without end',
    { delivered: false, error: 'invalid response' },
    (socket) => pour(socket, 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)),
  ],
  [
    'an endless failure',
    { delivered: false, statusCode: 500 },
    (socket) => socket.write('HTTP/1.1 500 No\r\n\r\n', () => pour(socket, 'x'.repeat(65_536))),
  ],
])('a receiver that sends %s does not use much time and memory', async (what, expected, respond) => {
  // Ten rounds of chunks would take eight seconds of CPU.
  const rounds = what === 'endless chunks' ? 4 : 10;
  let written = 0;
  const receiver = await listenHttp((socket) => {
    socket.on('close', () => (written += socket.bytesWritten));
    respond(socket);
  });
  await Promise.all(Array.from({ length: 10 }, () => pushTo(receiver)));
  const before = { rss: process.memoryUsage.rss(), retained: retainedBytes() };
  for (let round = 0; round < rounds; round += 1) {
    const results = await Promise.all(Array.from({ length: 10 }, () => pushTo(receiver)));
    expect(results).toMatchObject(results.map(() => expected));
    expect(Math.max(...results.map(({ durationMs }) => durationMs))).toBeLessThan(9_000);
  }
  await expect.poll(receiver.openSockets).toBe(0);
  expect(process.memoryUsage.rss() - before.rss).toBeLessThan(256_000_000);
  await expect.poll(() => retainedBytes() - before.retained).toBeLessThan(5_000_000);
  // Socket buffers accept some data, but far less than the receiver would send.
  expect(written / (10 * (rounds + 1))).toBeLessThan(8_000_000);
});
