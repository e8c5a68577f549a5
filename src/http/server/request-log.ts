import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { EndedRequest } from './request-end.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The root fields of the document and the codes of the errors in the response, for the log and the metrics. */
    operations?: readonly string[];
    errorCodes?: string[];
  }
}

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

/** Logs one line per request, when its response is sent or its connection has ended. */
export function logRequest(ended: EndedRequest): void {
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
