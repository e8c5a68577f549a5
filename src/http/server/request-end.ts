import { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Metrics } from './metrics.ts';

const OK = 200;
/** As in the log of nginx: the client disconnected before there was an answer. */
const CLIENT_CLOSED_REQUEST = 499;
const SERVER_ERROR = 500;
/**
 * The name of a request with several operations, as in the metrics. A client cannot add names: others are root fields.
 */
const SEVERAL_OPERATIONS = 'several';
const MAX_LISTED = 20;

declare module 'fastify' {
  interface FastifyRequest {
    /** The root fields of the document and the codes of the errors in the response, for the log and the metrics. */
    operations?: readonly string[];
    errorCodes?: string[];
  }
}

type EndedRequest = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The connection ended before the response was sent completely. */
  readonly isAborted: boolean;
};

/** Turns Fastify's own lines about requests off. `logRequest` writes one line for each request instead. */
export class RequestLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'requestId' });
  }

  override incomingRequest(): void {}

  override routeNotFound(): void {}

  /** If the client has disconnected, `logRequest` says so. */
  override streamError(error: NodeJS.ErrnoException, request: FastifyRequest, reply: FastifyReply): void {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') super.streamError(error, request, reply);
  }

  override requestCompleted(): void {}
}

/**
 * Logs, measures and traces the end of each request once: when its response is sent or its connection has ended.
 * Fastify's hook `onResponse` is not called if the connection ends before the response is sent.
 */
export function onRequestEnd(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply;
    raw.once('close', () => {
      const isAborted = !raw.writableFinished;
      if (isAborted && !raw.headersSent && raw.statusCode === OK) reply.code(CLIENT_CLOSED_REQUEST);
      const ended = { request, reply, isAborted };
      logRequest(ended);
      measureRequest(metrics, ended);
      endSpan(ended);
    });
    done();
  });
}

function logRequest(ended: EndedRequest): void {
  const { request, reply } = ended;
  const level = request.routeOptions.config?.isProbe ? 'debug' : 'info';
  reply.log[level](logFields(ended), 'request');
}

/**
 * The members of a log line. The path has no query string, which has the variables of a GET. pino omits undefined
 * members.
 */
function logFields({ request, reply, isAborted }: EndedRequest): object {
  const { session, operations, errorCodes } = request;
  return {
    err: reply.raw.errored ?? undefined,
    method: request.method,
    path: request.url.split('?', 1)[0],
    status: reply.statusCode,
    aborted: isAborted || undefined,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    ip: request.ip,
    merchantId: session?.merchantId,
    authorizedAppId: session?.authorizedAppId,
    operations,
    errorCodes,
  };
}

function measureRequest(metrics: Metrics, { request, reply }: EndedRequest): void {
  metrics.countResponse(
    { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode },
    reply.elapsedTime,
  );
  // Set by GraphQL responses.
  if (request.errorCodes) metrics.countOperation(request.operations ?? [], request.errorCodes[0]);
}

function endSpan({ request, reply, isAborted }: EndedRequest): void {
  const { operations, errorCodes, session } = request;
  const failure = reply.statusCode >= SERVER_ERROR ? String(reply.statusCode) : null;
  request.span?.end({
    ...(operations?.length && { name: operations.length === 1 ? operations[0]! : SEVERAL_OPERATIONS }),
    attributes: {
      'http.response.status_code': reply.statusCode,
      'graphql.operations': operations?.slice(0, MAX_LISTED),
      'commerce.error_codes': errorCodes?.length ? errorCodes.slice(0, MAX_LISTED) : undefined,
      'commerce.merchant.id': session?.merchantId,
      'commerce.app.id': session?.authorizedAppId,
    },
    error: errorCodes?.[0] ?? (isAborted ? 'aborted' : failure),
  });
}
