import { isUtf8 } from 'node:buffer';
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
    const answer = await new Exchange(outbound, { ...wanted, url, timeoutMs, maxRedirects }).answer();
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
class Exchange {
  readonly #wanted: OutboundRequest;
  readonly #stream: ReturnType<typeof client.stream>;
  readonly #received: Received = { head: null, chunks: [], bytes: 0, interimResponses: 0 };
  readonly #result = Promise.withResolvers<OutboundAnswer>();
  readonly #endsAtMs: number;
  readonly #stop = (): void => this.#settle('stopped');
  #timer: NodeJS.Timeout;

  constructor({ agent }: Outbound, wanted: OutboundRequest) {
    const { url, headers, body, timeoutMs } = wanted;
    this.#wanted = wanted;
    this.#stream = client.stream(new URL(url), { method: methodOf(wanted), headers, body, agent });
    this.#endsAtMs = performance.now() + timeoutMs;
    this.#timer = this.#timeoutAfter(timeoutMs);
  }

  async answer(): Promise<OutboundAnswer> {
    const { signal } = this.#wanted;
    this.#stream
      .on('response', (head) => this.#receiveHead(head))
      .on('data', (chunk: Buffer) => this.#receiveBody(chunk))
      .on('end', () => this.#settle(null));
    const receiveInterim = (): void => this.#receiveInterim();
    this.#stream.on('continue', receiveInterim).on('information', receiveInterim);
    this.#stream.on('upgrade', (_head, socket: Duplex) => this.#refuseUpgrade(socket));
    this.#stream.on('error', (error) => this.#settle(failureOf(error)));
    signal?.addEventListener('abort', this.#stop);
    if (signal?.aborted) this.#stop();
    return await this.#result.promise;
  }

  #settle(failure: Failure | null): void {
    clearTimeout(this.#timer);
    this.#wanted.signal?.removeEventListener('abort', this.#stop);
    // A connection is reused by the agent only if its response was read to the end. Any other connection is closed.
    if (!this.#stream.readableEnded) this.#stream.destroy();
    this.#result.resolve(answerOf(this.#received, failure));
  }

  #timeoutAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#settle('timeout'), ms);
  }

  #receiveHead(head: Response): void {
    const { url, maxRedirects, bodyTimeoutMs } = this.#wanted;
    this.#received.head = head;
    if (maxRedirects && redirectTarget(head, url) !== null) return this.#settle(null);
    const restMs = Math.max(this.#endsAtMs - performance.now(), 0);
    clearTimeout(this.#timer);
    this.#timer = this.#timeoutAfter(Math.min(bodyTimeoutMs ?? restMs, restMs));
  }

  #receiveBody(chunk: Buffer): void {
    const received = this.#received;
    const { maxBodyBytes } = this.#wanted;
    received.chunks.push(chunk.subarray(0, maxBodyBytes - received.bytes));
    received.bytes += chunk.length;
    const maxChunks = MAX_SMALL_CHUNKS + received.bytes / SMALL_CHUNK_BYTES;
    if (received.bytes > maxBodyBytes || received.chunks.length > maxChunks) this.#settle('too large');
  }

  /** Node accepts any number of 1xx responses, so a receiver that sends nothing else would keep the process busy. */
  #receiveInterim(): void {
    this.#received.interimResponses += 1;
    if (this.#received.interimResponses > MAX_INTERIM_RESPONSES) this.#settle('invalid response');
  }

  /** An upgraded socket no longer belongs to its request, so nothing else would close it. */
  #refuseUpgrade(socket: Duplex): void {
    socket.destroy();
    this.#settle('invalid response');
  }
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
  const location = decodedHeader(headers.location);
  const target = URL.parse(location, from);
  if (!target) return location;
  target.hash = '';
  return target.href;
}

/** Node reads headers as Latin-1, but many servers send UTF-8. */
function decodedHeader(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}
