import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isConnectionLost } from '../../db/errors/connection-lost.ts';
import { isClientGone, isStatementTimeout } from '../../db/errors/statement-ended.ts';
import { CommerceError, type ErrorCode, httpStatusByCode } from '../../errors.ts';

const codeByHttpStatus: Record<number, ErrorCode> = {
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
  503: 'SERVICE_UNAVAILABLE',
};

const RETRY_AFTER_S = 1;

/** Goes with every 503. Longer than PostgreSQL takes to restart would only keep clients away. */
export const retryLater = { 'retry-after': String(RETRY_AFTER_S) };

/** An error that is to be told with a status other than its code's. */
export class HttpError extends CommerceError {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(codeByHttpStatus[status] ?? 'ARGUMENT_VALIDATION_ERROR', message);
    this.status = status;
    this.headers = headers;
  }
}

/** What may be told of an error. What nobody expected is logged here, once, with the request's id. */
export function told(
  error: unknown,
  request: Pick<FastifyRequest, 'id' | 'log'>,
  operations?: readonly string[],
): CommerceError {
  if (error instanceof CommerceError) return error;
  if (isOfFastify(error)) return new HttpError(error.statusCode, error.message);
  // Nobody reads this answer.
  if (isClientGone(error)) return new CommerceError('SERVICE_UNAVAILABLE', 'The client did not wait.');
  if (isStatementTimeout(error)) {
    request.log.warn({ err: error, ...(operations && { operations }) }, 'a statement took too long');
    return new CommerceError(
      'TIMEOUT',
      'The request takes too long. Ask for less: a smaller page, fewer fields, narrower filters.',
    );
  }
  if (isConnectionLost(error)) {
    request.log.error({ err: error }, 'the database cannot be reached');
    return new CommerceError('SERVICE_UNAVAILABLE', 'The service cannot reach its database. Try again later.');
  }
  request.log.error({ err: error }, 'unexpected error');
  return new CommerceError('INTERNAL_SERVER_ERROR', 'Unexpected error', { requestId: request.id });
}

/** Status and headers that go with an error, whatever form its body has. */
export function applyError(reply: FastifyReply, error: CommerceError): void {
  if (error.code === 'SERVICE_UNAVAILABLE') reply.headers(retryLater);
  if (error instanceof HttpError) reply.headers(error.headers);
  const { retryAfter } = error.extensions;
  if (typeof retryAfter === 'number') reply.header('retry-after', String(retryAfter));
  if (error.code === 'LOGIN_REQUIRED') reply.header('www-authenticate', 'Bearer');
  reply.code(error instanceof HttpError ? error.status : httpStatusByCode[error.code]);
}

/** Errors of REST routes, as RFC 9457 describes them. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, message, extensions } = applied(error, request, reply);
  const status = reply.statusCode;
  // The member `type` is the problem's own here.
  const { type: recordType, ...members } = extensions;
  reply.header('content-type', 'application/problem+json; charset=utf-8');
  return reply.send(
    JSON.stringify({
      type: 'about:blank',
      title: STATUS_CODES[status],
      status,
      detail: message,
      code,
      recordType,
      ...members,
    }),
  );
}

function applied(error: unknown, request: FastifyRequest, reply: FastifyReply): CommerceError {
  const answer = told(error, request);
  applyError(reply, answer);
  return answer;
}

/** Fastify says with a status what is wrong with a request; its words are fit for the client. */
function isOfFastify(error: unknown): error is Error & { statusCode: number } {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500;
}
