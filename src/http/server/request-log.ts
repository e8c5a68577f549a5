import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The root fields of the document and the codes of the errors in the response, for the log and the metrics. */
    operations?: readonly string[];
    errorCodes?: string[];
  }
}

/** Logs one line per request, when its response is sent. */
export class RequestLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'requestId' });
  }

  override incomingRequest(): void {}

  override routeNotFound(): void {}

  /** Fastify does not report a request as completed if its client disconnects while a stream is sent. */
  override streamError(error: NodeJS.ErrnoException, request: FastifyRequest, reply: FastifyReply): void {
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') this.requestCompleted(null, request, reply);
    else super.streamError(error, request, reply);
  }

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const level = request.routeOptions.config?.isProbe ? 'debug' : 'info';
    reply.log[level](logFields(error, request, reply), 'request');
  }
}

/**
 * The members of a log line. The path has no query string, which has the variables of a GET. pino omits undefined
 * members.
 */
function logFields(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): object {
  const { session, operations, errorCodes } = request;
  return {
    err: error ?? undefined,
    method: request.method,
    path: request.url.split('?', 1)[0],
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    ip: request.ip,
    merchantId: session?.merchantId,
    authorizedAppId: session?.authorizedAppId,
    operations,
    errorCodes,
  };
}
