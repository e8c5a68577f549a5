import { createServer, type AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { openOutbound } from '../../../src/outbound/outbound.ts';
import { envelope } from '../../../src/webhook/sending/envelope.ts';
import { push, type PushResult } from '../../../src/webhook/sending/push.ts';
import { signatureHeaders } from '../../../src/webhook/sending/signature.ts';
import { listen, listenHttp, type Receiver } from '../../outbound/receiver.ts';

const OPEN = { allowHttp: true, allowPrivate: true };
const HEAD = 'HTTP/1.1 200 OK\r\n';

function pushTo({ port }: { port: number }): Promise<PushResult> {
  return push(openOutbound(OPEN), { endpoint: `http://127.0.0.1:${port}/hook`, body: '{}', headers: {} });
}

test('the receiver gets one POST with the body, its type and its signature', async () => {
  const requests: string[] = [];
  const { port, connections } = await listenHttp((socket, text) => {
    requests.push(text);
    socket.end(`${HEAD}content-length: 0\r\n\r\n`);
  });
  const delivery = { id: 'd1', createdAt: new Date(), scope: 'store/customer/created', merchantId: 'm1' };
  const body = envelope({ ...delivery, authorizedAppId: 'a1', sequence: 1, data: '{"name":"Şule"}' }, 'secret');
  const headers = signatureHeaders('d1', new Date(), body, ['secret']);
  const endpoint = `http://127.0.0.1:${port}/hook?shop=1`;
  const startedAtMs = performance.now();
  const { durationMs, ...result } = await push(openOutbound(OPEN), { endpoint, body, headers });
  expect(result).toMatchObject({ delivered: true, statusCode: 200, error: null });
  expect(durationMs).toBeLessThanOrEqual(Math.ceil(performance.now() - startedAtMs));
  expect([connections(), requests.length]).toEqual([1, 1]);

  const [head, received] = requests[0]!.split('\r\n\r\n') as [string, string];
  expect(head).toMatch(/^POST \/hook\?shop=1 HTTP\/1\.1\r\n/);
  expect(head).toMatch(/^content-type: application\/json\r?$/im);
  const sent = Object.fromEntries(
    [...head.matchAll(/^(webhook-[a-z]+): (.*?)\r?$/gm)].map(([, name, value]) => [name, value]),
  );
  expect(new Webhook(Buffer.from('secret').toString('base64')).verify(received, sent)).toEqual(JSON.parse(body));
});

// docs/reliability-tests.md: 79
test('only status 200 is success, of all statuses', async () => {
  let requests = 0;
  const { port } = await listenHttp((socket, text) => {
    requests += 1;
    const status = /\/hook\/(\d+)/.exec(text)![1];
    socket.end(`HTTP/1.1 ${status} Status\r\nlocation: /hook/200\r\nconnection: close\r\n\r\n`);
  });
  const outbound = openOutbound(OPEN);
  const delivered: number[] = [];
  for (let status = 200; status <= 999; status += 1) {
    const result = await push(outbound, {
      endpoint: `http://127.0.0.1:${port}/hook/${status}`,
      body: '{}',
      headers: {},
    });
    expect(result).toMatchObject({ statusCode: status, error: null });
    if (result.delivered) {
      delivered.push(status);
    }
  }
  expect(delivered).toEqual([200]);
  expect(requests).toBe(800);
});

// docs/reliability-tests.md: 79
test('a 1xx status is not an answer, and an invalid status is not either', async () => {
  const { port } = await listenHttp((socket, text) => {
    socket.end(`HTTP/1.1 ${/\/hook\/(\S+)/.exec(text)![1]} Status\r\nconnection: close\r\n\r\n`);
  });
  const outbound = openOutbound(OPEN);
  const statuses = Array.from({ length: 100 }, (_, index) => String(100 + index));
  for (const status of [...statuses, '2000', '20', '-200', '2e2', '0x200', 'OK']) {
    const result = await push(outbound, {
      endpoint: `http://127.0.0.1:${port}/hook/${status}`,
      body: '{}',
      headers: {},
    });
    expect([status, result]).toMatchObject([status, { delivered: false }]);
    expect([null, 101]).toContain(result.statusCode);
  }
});

// docs/reliability-tests.md: 67
test('a private endpoint is refused when a push is sent, without a connection', async () => {
  const receiver = await listen((socket) => socket.resume());
  const outbound = openOutbound({ allowHttp: true, allowPrivate: false });
  const endpoint = `http://127.0.0.1:${receiver.port}/`;
  const result = await push(outbound, { endpoint, body: '{}', headers: {} });
  expect(result).toMatchObject({ delivered: false, statusCode: null, error: 'refused address' });
  expect(receiver.connections()).toBe(0);
});

test('a 200 stays a success if the connection is reset after the status line', async () => {
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

test('a push that is stopped has the failure "stopped"', async () => {
  const { port } = await listen((socket) => socket.resume());
  const endpoint = `http://127.0.0.1:${port}/`;
  const result = await push(openOutbound(OPEN), { endpoint, body: '{}', headers: {}, signal: AbortSignal.timeout(50) });
  expect(result).toMatchObject({ delivered: false, statusCode: null, error: 'stopped' });
});

// docs/reliability-tests.md: 78
test('a failure is one word, without internal details', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const result = await pushTo({ port });
  expect(result).toEqual({
    delivered: false,
    statusCode: null,
    error: 'connection refused',
    response: null,
    durationMs: expect.any(Number),
  });
  expect(JSON.stringify(result)).not.toContain('127.0.0.1');
});
