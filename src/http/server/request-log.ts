import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** For the log: what the document asks for, and the codes of the errors answered. */
    operations?: readonly string[];
    errorCodes?: string[];
  }
}

/** One line for each request, when it is done. */
export class RequestLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'requestId' });
  }

  override incomingRequest(): void {}

  override routeNotFound(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    reply.log.info(described(error, request, reply), 'request');
  }
}

/** The query string stays out of it: a GET has its variables there. Members that are undefined are left out of the line. */
function described(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): object {
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
