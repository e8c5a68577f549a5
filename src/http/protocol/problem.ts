import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isConnectionLost } from '../../db/errors/connection-lost.ts';
import {
  isClientGone,
  isDatabaseUnavailable,
  isOverdue,
  isStatementTimeout,
  isTooLarge,
  isUndone,
} from '../../db/errors/database-error.ts';
import { CommerceError, type ErrorCode, httpStatusByCode, type InputPath, shownExtensions } from '../../errors.ts';
import { withoutStatement } from '../../limits/transaction-limit.ts';

const codeByHttpStatus: Record<number, ErrorCode> = {
  404: 'NOT_FOUND',
  408: 'TIMEOUT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
  503: 'SERVICE_UNAVAILABLE',
};

const ERROR_PAGES = '/docs/errors';
const RETRY_AFTER_S = 1;

declare module 'fastify' {
  interface FastifyInstance {
    /** The base URL of the service for clients, without a slash at its end, if it is configured. */
    publicUrl: string | undefined;
  }
}

/** Sent with every 401 of a route that takes access tokens. */
export const loginHeader = { 'www-authenticate': 'Bearer' };

/** Sent with every 503. PostgreSQL usually restarts within a second. */
export const retryAfterHeader = { 'retry-after': String(RETRY_AFTER_S) };

/**
 * An error with an HTTP status of its own, instead of its code's, and with headers. Without another code it is about the
 * request as a whole, or about its member at `path`.
 */
export class HttpError extends CommerceError {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}, path: InputPath = []) {
    const code = codeByHttpStatus[status];
    super(code ?? 'ARGUMENT_VALIDATION_ERROR', message, code ? retryAfter(headers) : { issues: [{ path, message }] });
    this.status = status;
    this.headers = headers;
  }
}

function retryAfter({ 'retry-after': seconds }: Record<string, string>): { retryAfter?: number } {
  return seconds === undefined ? {} : { retryAfter: Number(seconds) };
}

/**
 * Converts anything thrown into an error that clients may see. Unexpected errors are masked, and logged here once, with
 * the id of the request.
 */
export function toPublicError(
  error: unknown,
  request: Pick<FastifyRequest, 'id' | 'log' | 'operations'>,
): CommerceError {
  const { operations } = request;
  const own = withoutStatement(error);
  if (own instanceof CommerceError) return own;
  if (isFastifyClientError(error)) return new HttpError(error.statusCode, error.message);
  // The client has disconnected, so nobody reads this.
  if (isClientGone(error)) return new CommerceError('SERVICE_UNAVAILABLE', 'The client did not wait.');
  if (isOverdue(error))
    return new CommerceError('SERVICE_UNAVAILABLE', 'The request waited too long for the database. Try again later.');
  if (isStatementTimeout(error)) {
    request.log.warn({ err: error, operations }, 'a statement took too long');
    return new CommerceError(
      'TIMEOUT',
      'The request takes too long. Ask for less: a smaller page, fewer fields, narrower filters.',
    );
  }
  if (isDatabaseUnavailable(error)) {
    // OutageLog writes one line for all of them.
    request.log.debug({ err: error }, 'the database is unavailable');
    const reason = isConnectionLost(error) ? 'The service cannot reach its database.' : 'The database lacks resources.';
    return new CommerceError('SERVICE_UNAVAILABLE', `${reason} Try again later.`);
  }
  if (isUndone(error)) {
    request.log.warn({ err: error, operations }, 'two requests changed the same records');
    return new CommerceError(
      'SERVICE_UNAVAILABLE',
      'Another request changed the same records at the same time. Try again later.',
    );
  }
  if (isTooLarge(error)) {
    request.log.warn({ err: error, operations }, 'a request needs too much memory');
    const message =
      'The database would have to make a value that is too large: read fewer records or fields, or shorten their texts.';
    return new CommerceError('ARGUMENT_VALIDATION_ERROR', message, { issues: [{ path: [], message }] });
  }
  request.log.error({ err: error, operations }, 'unexpected error');
  return new CommerceError('INTERNAL_SERVER_ERROR', 'Unexpected error', { requestId: request.id });
}

/**
 * The address of the documentation page about an error code; undefined if the service does not know its own address.
 */
export function documentationOf(code: string, { server }: Pick<FastifyRequest, 'server'>): string | undefined {
  return server.publicUrl === undefined ? undefined : `${server.publicUrl}${ERROR_PAGES}/${code}`;
}

/** Sets the status and the headers of an error, whatever form its body has. */
export function applyError(reply: FastifyReply, error: CommerceError): void {
  if (error.code === 'SERVICE_UNAVAILABLE') reply.headers(retryAfterHeader);
  if (error instanceof HttpError) reply.headers(error.headers);
  const { retryAfter } = error.extensions;
  if (typeof retryAfter === 'number') reply.header('retry-after', String(retryAfter));
  if (error.code === 'LOGIN_REQUIRED') reply.headers(loginHeader);
  reply.code(error instanceof HttpError ? error.status : httpStatusByCode[error.code]);
}

/** Error handler of REST routes: problem details (RFC 9457). */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const publicError = toPublicError(error, request);
  applyError(reply, publicError);
  const { code, message } = publicError;
  const status = reply.statusCode;
  // RFC 9457 has a member `type` of its own.
  const { type: recordType, ...members } = shownExtensions(publicError);
  reply.header('content-type', 'application/problem+json; charset=utf-8');
  return reply.send(
    JSON.stringify({
      type: documentationOf(code, request) ?? 'about:blank',
      title: STATUS_CODES[status],
      status,
      detail: message,
      code,
      recordType,
      ...members,
    }),
  );
}

/** Errors of Fastify about the request, such as an unsupported media type. Their messages may be sent to the client. */
function isFastifyClientError(error: unknown): error is Error & { statusCode: number } {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500;
}
