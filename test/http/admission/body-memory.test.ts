import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ServerDependencies } from '../../../src/http/server/server.ts';
import type { Answer } from '../../support/post.ts';
import { open } from '../../support/raw.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const MIB = 1024 * 1024;
/** More than half of the memory for bodies of one merchant. */
const LARGE_BYTES = 9 * MIB;
const REQUEST_MS = 800;
/** The time within which a slow body gives back the memory for what it has not sent. */
const GIVEN_BACK_WITHIN_MS = 3_000;
/** The interval at which slow bodies give memory back. */
const CHECK_INTERVAL_MS = 250;
/** By then a slow body has given memory back. */
const GIVEN_BACK_AFTER_MS = 1_000;

let server: TestServer;
let sockets: Socket[];
beforeEach(() => {
  sockets = [];
});
afterEach(async () => {
  sockets.forEach((socket) => socket.destroy());
  await server.drain();
});

/** By default the time limit of requests is longer than any test. */
async function start(requestMs = 60_000, findSession?: ServerDependencies['findSession']): Promise<void> {
  const timeouts = { headersMs: Math.min(requestMs, 10_000), requestMs };
  server = await startServer({ timeouts, ...(findSession && { findSession }) });
  for (const name of ['a', 'b', 'c'])
    server.sessions.set(name, { ...server.sessions.get('full')!, merchantId: `merchant-${name}` });
}

function largeBody(query: string): string {
  const body = JSON.stringify({ query, variables: { ignored: '' } });
  return body.replace('"ignored":""', `"ignored":"${'x'.repeat(LARGE_BYTES - body.length)}"`);
}

/** Sends the headers of a request and the first bytes of its body. */
function begin(token: string, body: string, sentBytes: number): Socket {
  const socket = open(server.url).on('error', () => {});
  sockets.push(socket);
  socket.write(
    `POST /api/v1/admin/graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  socket.write(body.slice(0, sentBytes));
  return socket;
}

async function send(token: string, query: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(server.graphqlUrl, { method: 'POST', headers, body: largeBody(query) });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}

/** Sends a body without Content-Length. */
async function sendChunked(token: string, query: string): Promise<number> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'transfer-encoding': 'chunked',
  };
  const request = httpRequest(server.graphqlUrl, { method: 'POST', headers }).end(JSON.stringify({ query }));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode!;
}

async function timed<T>(work: () => Promise<T>): Promise<[result: T, tookMs: number]> {
  const startedAtMs = performance.now();
  return [await work(), performance.now() - startedAtMs];
}

it('a body that waits for memory is not treated as a slow one', async () => {
  await start(REQUEST_MS);
  const first = send('a', '{ wait }');
  await vi.waitUntil(() => server.calls.includes('wait'), { timeout: 10_000 });
  const waiting = send('a', '{ getThing(id: "2") { id } }');
  for (let slow = 0; slow < 3; slow += 1) await once(begin('b', largeBody(''), 1).resume(), 'close');
  server.release();
  expect([(await first).status, await waiting]).toMatchObject([
    200,
    { status: 200, body: { data: { getThing: { id: '2' } } } },
  ]);
});

it('a body keeps its memory until its request is executed, also if the client disconnects', async () => {
  await start();
  const body = largeBody('{ wait }');
  const first = begin('a', body, body.length);
  await vi.waitUntil(() => server.calls.includes('wait'), { timeout: 10_000 });
  first.destroy();
  await vi.waitUntil(() => server.lines.some(({ status }) => status === 499), { timeout: 10_000 });
  const second = send('a', '{ getThing(id: "2") { id } }');
  for (const id of ['3', '4', '5']) await send('b', `{ getThing(id: "${id}") { id } }`);
  expect(server.received).toMatchObject([{ id: '3' }, { id: '4' }, { id: '5' }]);
  server.release();
  expect((await second).body).toEqual({ data: { getThing: { id: '2' } } });
});

it('a slow body keeps memory for what has arrived only while others wait, and is served when it has arrived', async () => {
  await start();
  const body = largeBody('{ getThing(id: "1") { id } }');
  const slow = ['a', 'a', 'b', 'b'].map((token) => begin(token, body, 1_000));
  const [, behindMs] = await timed(async () => await send('c', '{ getThing(id: "2") { id } }'));
  const [other, alone] = await timed(async () => await send('c', '{ getThing(id: "2") { id } }'));
  console.log(`behind slow ones a body took ${Math.round(behindMs)} ms, after that ${Math.round(alone)} ms`);
  expect(other).toMatchObject({ status: 200, body: { data: { getThing: { id: '2' } } } });
  expect(behindMs - alone).toBeLessThan(GIVEN_BACK_WITHIN_MS);

  let text = '';
  slow[0]!.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  slow[0]!.write(body.slice(1_000));
  await vi.waitUntil(() => text.includes('\r\n\r\n'), { timeout: 20_000 });
  expect(text).toMatch(/^HTTP\/1.1 200 /);
});

it('the rest of a body is read before another body of its merchant, which waits for it', async () => {
  await start();
  const body = largeBody('{ getThing(id: "1") { id } }');
  const first = begin('a', body, body.length - MIB / 2);
  const second = begin('a', body, body.length);
  // Both connections get a response only after `first` has given back the memory for what has not arrived.
  await wait(GIVEN_BACK_AFTER_MS);
  first.write(body.slice(body.length - MIB / 2));
  for (const socket of [first, second]) expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 200 /);
});

it('a body above the limit is refused with 413 while others have the memory, and takes none', async () => {
  await start();
  const first = send('a', '{ wait }');
  await vi.waitUntil(() => server.calls.includes('wait'), { timeout: 10_000 });
  const tooLarge = begin('a', 'x'.repeat(11 * MIB), 1);
  const [answer] = (await once(tooLarge, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 [^]*PAYLOAD_TOO_LARGE/);
  server.release();
  expect((await first).status).toBe(200);
});

it('a body without Content-Length keeps only the memory for what has arrived', async () => {
  await start();
  const first = sendChunked('a', '{ wait }');
  await vi.waitUntil(() => server.calls.includes('wait'), { timeout: 10_000 });
  const second = await sendChunked('a', '{ getThing(id: "2") { id } }');
  server.release();
  expect([await first, second]).toEqual([200, 200]);
});

it('a body whose client has disconnected during the look-up of its token is not followed', async () => {
  const lookUps: string[] = [];
  const lookUp = Promise.withResolvers<void>();
  await start(60_000, async (token) => {
    lookUps.push(token);
    if (token === 'late') await lookUp.promise;
    return server.sessions.get(token) ?? null;
  });
  server.sessions.set('late', server.sessions.get('a')!);
  const left = begin('late', largeBody(''), 0);
  await vi.waitUntil(() => lookUps.includes('late'), { timeout: 10_000 });
  left.destroy();
  await wait(CHECK_INTERVAL_MS);
  lookUp.resolve();
  const first = send('a', '{ wait }');
  await vi.waitUntil(() => server.calls.includes('wait'), { timeout: 10_000 });
  const waiting = send('a', '{ getThing(id: "2") { id } }');
  // An error in the timer of a body that is followed would end the process.
  await wait(2 * CHECK_INTERVAL_MS);
  server.release();
  expect([(await first).status, (await waiting).status]).toEqual([200, 200]);
});
