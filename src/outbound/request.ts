import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import got, { type Response } from 'got';
import { checkEndpoint } from './endpoint.ts';
import type { Span } from '../tracing/span.ts';
import { failureOf, type Failure } from './failure.ts';
import type { Outbound } from './outbound.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const TLS_TIMEOUT_MS = 5_000;
const MAX_HEADER_BYTES = 16_384;
const MAX_INTERIM_RESPONSES = 16;
// A body that arrives in chunks of a byte or two takes a thousand times its size in memory and time.
const MAX_SMALL_CHUNKS = 512;
const SMALL_CHUNK_BYTES = 128;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export type OutboundRequest = {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A request with a body is a POST, and one without a body is a GET. */
  readonly body?: string;
  /** Time limit of the whole request: resolving the name, connecting, redirects, and the response with its body. */
  readonly timeoutMs: number;
  /** Time limit of the body after the headers have arrived. Without it, the body has the rest of `timeoutMs`. */
  readonly bodyTimeoutMs?: number;
  readonly maxBodyBytes: number;
  /** Only a GET follows redirects, and the address of each target is checked like the first one. */
  readonly maxRedirects?: 0 | 1 | 2 | 3;
  readonly signal?: AbortSignal;
  /** The span below which the request is traced; the receiver gets the header `traceparent`. */
  readonly span?: Span | undefined;
};

/** `truncated` says why the body is incomplete; it is null if the body is complete. The body is not decompressed. */
export type OutboundResponse = {
  readonly ok: true;
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly truncated: Failure | null;
};

export type OutboundAnswer = OutboundResponse | { readonly ok: false; readonly failure: Failure };

type Received = { head: Response | null; chunks: Buffer[]; bytes: number; interimResponses: number };

const client = got.extend({
  decompress: false,
  followRedirect: false,
  throwHttpErrors: false,
  retry: { limit: 0 },
  enableUnixSockets: false,
  maxHeaderSize: MAX_HEADER_BYTES,
  timeout: { connect: CONNECT_TIMEOUT_MS, secureConnect: TLS_TIMEOUT_MS },
  https: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
  headers: { 'user-agent': 'commerce-administration', 'accept-encoding': 'identity' },
});

/**
 * Every request to an address that a client chose is made here. It counts as answered when the status line and the
 * headers have arrived, even if the body then fails.
 */
export async function request(outbound: Outbound, wanted: OutboundRequest): Promise<OutboundAnswer> {
  if (!wanted.span) return await follow(outbound, wanted);
  const method = methodOf(wanted);
  const span = wanted.span.start(method, 'client', {
    'http.request.method': method,
    'server.address': URL.parse(wanted.url)?.host,
  });
  const headers = { ...wanted.headers, traceparent: span.traceparent };
  const answer = await follow(outbound, { ...wanted, headers }).catch((error: unknown) => {
    span.end({ error: 'exception' });
    throw error;
  });
  span.end({
    attributes: answer.ok ? { 'http.response.status_code': answer.statusCode } : { 'error.type': answer.failure },
    error: answer.ok ? null : answer.failure,
  });
  return answer;
}

function methodOf({ body }: OutboundRequest): 'GET' | 'POST' {
  return body === undefined ? 'GET' : 'POST';
}

async function follow(outbound: Outbound, wanted: OutboundRequest): Promise<OutboundAnswer> {
  const deadlineMs = performance.now() + wanted.timeoutMs;
  const maxRedirects = wanted.body === undefined ? (wanted.maxRedirects ?? 0) : 0;
  let url = wanted.url;
  for (let redirects = 0; ; redirects += 1) {
    if (checkEndpoint(url, outbound.policy) !== null) {
      return { ok: false, failure: 'refused address' };
    }
    const timeoutMs = Math.max(deadlineMs - performance.now(), 0);
    const answer = await exchange(outbound, { ...wanted, url, timeoutMs, maxRedirects });
    const target = maxRedirects > 0 && answer.ok ? redirectTarget(answer, url) : null;
    if (target === null) {
      return answer;
    }
    if (redirects === maxRedirects) {
      return { ok: false, failure: 'too many redirects' };
    }
    url = target;
  }
}

/** Makes one request. When the promise resolves, no socket or timer of the request is active any more. */
function exchange(outbound: Outbound, wanted: OutboundRequest): Promise<OutboundAnswer> {
  const { promise, resolve } = Promise.withResolvers<OutboundAnswer>();
  const { headers, body, signal } = wanted;
  const method = methodOf(wanted);
  const stream = client.stream(new URL(wanted.url), { method, headers, body, agent: outbound.agent });
  const received: Received = { head: null, chunks: [], bytes: 0, interimResponses: 0 };
  const endsAtMs = performance.now() + wanted.timeoutMs;
  const stop = (): void => settle('stopped');
  let timer = setTimeout(settle, wanted.timeoutMs, 'timeout');

  function settle(failure: Failure | null): void {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    // A connection is reused by the agent only if its response was read to the end. Any other connection is closed.
    if (!stream.readableEnded) {
      stream.destroy();
    }
    resolve(answerOf(received, failure));
  }
  function receiveHead(head: Response): void {
    received.head = head;
    if (wanted.maxRedirects && redirectTarget(head, wanted.url) !== null) {
      return settle(null);
    }
    const restMs = Math.max(endsAtMs - performance.now(), 0);
    clearTimeout(timer);
    timer = setTimeout(settle, Math.min(wanted.bodyTimeoutMs ?? restMs, restMs), 'timeout');
  }
  function receiveBody(chunk: Buffer): void {
    received.chunks.push(chunk.subarray(0, wanted.maxBodyBytes - received.bytes));
    received.bytes += chunk.length;
    const maxChunks = MAX_SMALL_CHUNKS + received.bytes / SMALL_CHUNK_BYTES;
    if (received.bytes > wanted.maxBodyBytes || received.chunks.length > maxChunks) {
      settle('too large');
    }
  }
  // Node accepts any number of 1xx responses, so a receiver that sends nothing else would keep the process busy.
  function receiveInterim(): void {
    received.interimResponses += 1;
    if (received.interimResponses > MAX_INTERIM_RESPONSES) {
      settle('invalid response');
    }
  }
  // An upgraded socket no longer belongs to its request, so nothing else would close it.
  function refuseUpgrade(_head: unknown, socket: Duplex): void {
    socket.destroy();
    settle('invalid response');
  }

  stream
    .on('response', receiveHead)
    .on('data', receiveBody)
    .on('end', () => settle(null));
  stream.on('continue', receiveInterim).on('information', receiveInterim);
  stream.on('upgrade', refuseUpgrade);
  stream.on('error', (error) => settle(failureOf(error)));
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) {
    stop();
  }
  return promise;
}

function answerOf({ head, chunks }: Received, failure: Failure | null): OutboundAnswer {
  if (head === null) {
    return { ok: false, failure: failure ?? 'invalid response' };
  }
  const { statusCode, headers } = head;
  return { ok: true, statusCode, headers, body: Buffer.concat(chunks), truncated: failure };
}

function redirectTarget(
  { statusCode, headers }: Pick<OutboundResponse, 'statusCode' | 'headers'>,
  from: string,
): string | null {
  if (!REDIRECT_STATUSES.has(statusCode) || headers.location === undefined) {
    return null;
  }
  if (!URL.canParse(headers.location, from)) {
    return headers.location;
  }
  const target = new URL(headers.location, from);
  target.hash = '';
  return target.href;
}
