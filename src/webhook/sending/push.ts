import type { Failure } from '../../outbound/failure.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { type OutboundResponse, request } from '../../outbound/request.ts';
import type { Span } from '../../tracing/span.ts';

const PUSH_TIMEOUT_MS = 10_000;
// The success of a push depends only on the status. The body is read for the log of attempts, and so that the
// connection can be reused.
const BODY_TIMEOUT_MS = 1_000;
const MAX_BODY_BYTES = 65_536;
const SUCCESS_STATUS = 200;

export type Push = {
  readonly endpoint: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly span?: Span | undefined;
};

/** `error` says why there was no response; null if there was one. The body of `response` may be incomplete. */
export type PushResult = {
  readonly delivered: boolean;
  readonly statusCode: number | null;
  readonly error: Failure | null;
  readonly response: Pick<OutboundResponse, 'headers' | 'body'> | null;
  readonly durationMs: number;
};

/** Makes at most one HTTP request. Never throws. */
export async function push(
  outbound: Outbound,
  { endpoint, body, headers, timeoutMs, signal, span }: Push,
): Promise<PushResult> {
  const startedAtMs = performance.now();
  const answer = await request(outbound, {
    url: endpoint,
    body,
    headers: { ...headers, 'content-type': 'application/json' },
    timeoutMs: timeoutMs ?? PUSH_TIMEOUT_MS,
    bodyTimeoutMs: BODY_TIMEOUT_MS,
    maxBodyBytes: MAX_BODY_BYTES,
    signal,
    span,
  });
  const durationMs = Math.round(performance.now() - startedAtMs);
  if (!answer.ok) return { delivered: false, statusCode: null, error: answer.failure, response: null, durationMs };
  const { statusCode } = answer;
  return { delivered: statusCode === SUCCESS_STATUS, statusCode, error: null, response: answer, durationMs };
}
