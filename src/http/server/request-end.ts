import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const OK = 200;
/** As in the log of nginx: the client disconnected before there was an answer. */
const CLIENT_CLOSED_REQUEST = 499;

export type EndedRequest = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The connection ended before the response was sent completely. */
  readonly isAborted: boolean;
};

/**
 * Calls each callback once for each request. Fastify's hook `onResponse` is not called if the connection ends before the
 * response is sent.
 */
export function onRequestEnd(app: FastifyInstance, callbacks: readonly ((ended: EndedRequest) => void)[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply;
    raw.once('close', () => {
      const isAborted = !raw.writableFinished;
      if (isAborted && !raw.headersSent && raw.statusCode === OK) reply.code(CLIENT_CLOSED_REQUEST);
      for (const callback of callbacks) callback({ request, reply, isAborted });
    });
    done();
  });
}
