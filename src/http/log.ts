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
    reply.log.info({ ...(error && { err: error }), ...described(request, reply) }, 'request');
  }
}

/** The query string stays out of it: a GET has its variables there. */
function described(request: FastifyRequest, reply: FastifyReply): object {
  const { session, operations, errorCodes } = request;
  return {
    method: request.method,
    path: request.url.split('?', 1)[0],
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    ip: request.ip,
    ...(session && { merchantId: session.merchantId, authorizedAppId: session.authorizedAppId }),
    ...(operations && { operations }),
    ...(errorCodes && { errorCodes }),
  };
}
