import { createServer, getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import { request, type OutboundAnswer } from '../../src/outbound/request.ts';
import { makeAuthority, makeCertificate } from './certificate.ts';
import { listen } from './receiver.ts';

const HOST = 'receiver.example';
const DAY_MS = 86_400_000;
const CLOSED_WITHIN_MS = 2_000;
const authority = makeAuthority();
const good = makeCertificate(HOST, { issuer: authority });
const closing: (() => void)[] = [];

let hanging: ReturnType<typeof hangInHandshake>;
beforeAll(() => {
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, authority.cert]);
  return () => setDefaultCACertificates(trusted);
});
beforeAll(() => void (hanging = hangInHandshake()));

afterEach(() => {
  closing.splice(0).forEach((close) => close());
});

const OK = 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n';

/** Answers with these parts, of which each is a message of its own, and ends the connection unless it is kept. */
async function serve(
  options: TlsOptions,
  parts: readonly string[] = [OK],
  isKept = false,
): Promise<{ port: number; readonly requests: () => number }> {
  let requests = 0;
  const server = createServer(options, (socket) => {
    socket.on('error', () => {});
    const answer = async () => {
      requests += 1;
      for (const part of parts) await new Promise<unknown>((resolve) => socket.write(part, resolve));
      if (!isKept) socket.end();
    };
    socket.on('data', () => void answer());
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return { port: (server.address() as AddressInfo).port, requests: () => requests };
}

async function serveRenegotiation(): Promise<{ port: number }> {
  const server = createServer({ ...good, maxVersion: 'TLSv1.2' }, (socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.renegotiate({ rejectUnauthorized: false }, () =>
        socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n'),
      );
    });
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return { port: (server.address() as AddressInfo).port };
}

const bytesOf = (text: string): string[] => text.split('');

const open = (): Outbound => openOutbound({ allowHttp: false, allowPrivate: true }, async () => ['127.0.0.1']);

async function ask(port: number, host = HOST, maxBodyBytes = 1_000, outbound = open()): Promise<OutboundAnswer> {
  const url = `https://${host}:${port}/`;
  return request(outbound, { url, body: '{}', timeoutMs: 10_000, maxBodyBytes });
}

test('a certificate of a known authority for the name is accepted', async () => {
  const { port, requests } = await serve(good);
  expect(await ask(port)).toMatchObject({ ok: true, statusCode: 200 });
  expect(requests()).toBe(1);
});

test.each<[string, TlsOptions]>([
  ['signed by itself', makeCertificate(HOST)],
  ['of an unknown authority', makeCertificate(HOST, { issuer: makeAuthority() })],
  ['for another name', makeCertificate('other.example', { issuer: authority })],
  ['that has expired', makeCertificate(HOST, { issuer: authority, to: new Date(Date.now() - DAY_MS / 2) })],
  ['that is not valid yet', makeCertificate(HOST, { issuer: authority, from: new Date(Date.now() + DAY_MS / 2) })],
])('a certificate %s is a tls failure, and nothing is sent', async (_what, options) => {
  const { port, requests } = await serve(options);
  expect(await ask(port)).toEqual({ ok: false, failure: 'tls' });
  expect(requests()).toBe(0);
});

// docs/reliability-tests.md: 76
test.each(['TLSv1', 'TLSv1.1'] as const)('a server that speaks %s only is a tls failure', async (version) => {
  const { port, requests } = await serve({
    ...good,
    minVersion: version,
    maxVersion: version,
    ciphers: 'DEFAULT@SECLEVEL=0',
  });
  expect(await ask(port)).toEqual({ ok: false, failure: 'tls' });
  expect(requests()).toBe(0);
});

// docs/reliability-tests.md: 76
test('a server that chooses a Diffie-Hellman group is a tls failure', async () => {
  const { port, requests } = await serve({
    ...makeCertificate(HOST, { issuer: authority, keyType: 'rsa' }),
    maxVersion: 'TLSv1.2',
    ciphers: 'DHE-RSA-AES128-GCM-SHA256:DHE-RSA-AES256-GCM-SHA384',
    dhparam: 'auto',
  });
  expect(await ask(port)).toEqual({ ok: false, failure: 'tls' });
  expect(requests()).toBe(0);
});

// docs/reliability-tests.md: 76
test('a server that renegotiates is a tls failure', async () => {
  const { port } = await serveRenegotiation();
  expect(await ask(port)).toEqual({ ok: false, failure: 'tls' });
});

// docs/reliability-tests.md: 76
test('a server that sends a chain of 80 kB is refused before the chain is verified', async () => {
  const { port, requests } = await serve({ ...good, cert: good.cert + authority.cert.repeat(200) });
  expect(await ask(port)).toEqual({ ok: false, failure: 'too large' });
  expect(requests()).toBe(0);
});

// docs/reliability-tests.md: 76
test('a server whose messages have little data is given up', async () => {
  const { port } = await serve(good, bytesOf(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(8_000)}\r\n\r\n`));
  expect(await ask(port)).toEqual({ ok: false, failure: 'too large' });
});

test('a kept connection is used for any number of answers', async () => {
  const answer = `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(300)}\r\ncontent-length: 0\r\n\r\n`;
  const { port, requests } = await serve(good, bytesOf(answer), true);
  const outbound = open();
  for (let n = 0; n < 25; n += 1) {
    expect(await ask(port, HOST, 1_000, outbound)).toMatchObject({ ok: true, statusCode: 200 });
  }
  expect(requests()).toBe(25);
});

test('a body of megabytes is read', async () => {
  const body = 'x'.repeat(5_000_000);
  const { port } = await serve(good, [`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`]);
  const answer = await ask(port, HOST, body.length);
  expect(answer).toMatchObject({ ok: true, truncated: null });
  expect(answer.ok && answer.body.length).toBe(body.length);
});

test('a server that answers the handshake with plain HTTP is a tls failure', async () => {
  const { port } = await listen((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
  expect(await ask(port)).toEqual({ ok: false, failure: 'tls' });
});

// docs/reliability-tests.md: 76
test('a handshake that hangs is given up after five seconds', async () => {
  const { answer, tookMs, openSockets } = await hanging;
  expect(answer).toEqual({ ok: false, failure: 'timeout' });
  expect(tookMs).toBeLessThan(5_500);
  expect(openSockets).toBe(0);
});

/** Begins with the first test, so that the others run while it waits. */
async function hangInHandshake(): Promise<{ answer: OutboundAnswer; tookMs: number; openSockets: number }> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const startedAtMs = performance.now();
  const answer = await ask((server.address() as AddressInfo).port);
  const tookMs = performance.now() - startedAtMs;
  await vi.waitUntil(() => sockets.size === 0, CLOSED_WITHIN_MS).catch(() => undefined);
  server.close();
  return { answer, tookMs, openSockets: sockets.size };
}

// docs/reliability-tests.md: 76
test('an address in the URL needs a certificate of its own', async () => {
  const { port, requests } = await serve(good);
  expect(await ask(port, '127.0.0.1')).toEqual({ ok: false, failure: 'tls' });
  expect(requests()).toBe(0);
});
