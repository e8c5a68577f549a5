import { once } from 'node:events';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { open } from '../../support/raw.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import type { Span, Tracing } from '../../../src/tracing/span.ts';

const TIMEOUTS = { headersMs: 500, requestMs: 800, responseMs: 500 };
/** More than the kernel takes for a client that does not read. */
const LARGE_BYTES = 64 * 1024 * 1024;
const PATH = '/api/v1/admin/graphql';
const QUERY = '{"query":"{ wait }"}';

type Ended = NonNullable<Parameters<Span['end']>[0]>;

let server: TestServer;
let spans: (Ended | undefined)[];
beforeEach(async () => {
  spans = [];
  const span = { traceparent: '', end: (ended) => void spans.push(ended) } as Partial<Span> as Span;
  const tracing: Tracing = { start: () => span, close: async () => {} };
  server = await startServer({ timeouts: TIMEOUTS, tracing, publicRoutes: [largeRoute] });
});
afterEach(() => server.drain());

async function largeRoute(app: FastifyInstance): Promise<void> {
  app.get('/large', () => Buffer.alloc(LARGE_BYTES));
}

function post(body: string, bytes = body.length): string {
  return `POST ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer full\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n${body}`;
}

const lines = () => server.lines.filter(({ msg }) => msg === 'request');

/** What the log, the spans and the metrics have of requests, without those for the metrics themselves. */
async function recorded(requests: number): Promise<{ logged: unknown[]; traced: unknown[]; counted: string[] }> {
  await vi.waitUntil(() => lines().length >= requests, { timeout: 5_000 });
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return {
    logged: lines().map(({ path, status, aborted }) => [path, status, aborted]),
    traced: spans.map((ended) => [ended?.attributes?.['http.response.status_code'], ended?.error]),
    counted: [...text.matchAll(/^http_request_duration_seconds_count\{(.+)\} (\d+)$/gm)].map(
      ([, labels, count]) => `${labels!.replaceAll(/\w+=|"/g, '')} ${count}`,
    ),
  };
}

describe('a request whose client disconnects before the answer', () => {
  it('is logged, traced and counted once, with the status 499', async () => {
    const socket = open(server.url);
    socket.write(post(QUERY));
    await vi.waitUntil(() => server.calls.includes('wait'));
    socket.destroy();
    await recorded(1);
    server.release();
    expect(await recorded(1)).toEqual({
      logged: [[PATH, 499, true]],
      traced: [[499, 'aborted']],
      counted: [`POST,${PATH},499 1`, 'GET,/metrics,200 1'],
    });
  });

  it('is logged, traced and counted also behind another one on its connection', async () => {
    const socket = open(server.url);
    socket.write(post(QUERY) + post(QUERY));
    await vi.waitUntil(() => server.calls.filter((name) => name === 'wait').length === 2);
    socket.destroy();
    expect(await recorded(2)).toEqual({
      logged: Array(2).fill([PATH, 499, true]),
      traced: Array(2).fill([499, 'aborted']),
      counted: [`POST,${PATH},499 2`],
    });
    server.release();
  });
});

it('a request that takes too long to arrive is logged, traced and counted once, with the status 408', async () => {
  const socket = open(server.url);
  socket.write(post('{', 1_000));
  await once(socket.resume(), 'close');
  expect(await recorded(1)).toEqual({
    logged: [[PATH, 408, undefined]],
    traced: [[408, 'TIMEOUT']],
    counted: [`POST,${PATH},408 1`],
  });
});

it('a response that is not read to its end is logged, traced and counted once, as aborted', async () => {
  const socket = open(server.url).pause();
  socket.on('error', () => {}).write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await recorded(1)).toEqual({
    logged: [['/large', 200, true]],
    traced: [[200, 'aborted']],
    counted: ['GET,/large,200 1'],
  });
  socket.destroy();
});

it('a request that is answered is logged, traced and counted once, and not as aborted', async () => {
  const socket = open(server.url);
  socket.write(post('{"query":"{ me { id } }"}'));
  await once(socket, 'data');
  socket.destroy();
  expect(await recorded(1)).toEqual({
    logged: [[PATH, 200, undefined]],
    traced: [[200, null]],
    counted: [`POST,${PATH},200 1`],
  });
});
