import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** How often open requests are checked. A slow one is cut off at most this much after its time. */
const CHECK_INTERVAL_MS = 500;
/** The code with which Node reports a request that exceeds its own limit, which counts the time of waiting too. */
const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body is not read at present, because it waits for memory. */
    waitsForMemory: boolean;
  }
}

type Sending = { request: FastifyRequest; reply: FastifyReply; sentMs: number; checkedAtMs: number };

/** Cuts off requests whose body is not received in time. The time in which a body is not read does not count. */
export function closeSlowSenders(app: FastifyInstance, timeoutMs: number): void {
  const open = new Map<IncomingMessage, Sending>();
  app.decorateRequest('waitsForMemory', false);
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    if (hasBody(raw)) {
      open.set(raw, { request, reply, sentMs: 0, checkedAtMs: performance.now() });
      reply.raw.once('close', () => raw.complete && open.delete(raw));
    }
    done();
  });
  const check = (): void => {
    const nowMs = performance.now();
    for (const [raw, sending] of open) {
      if (raw.complete || raw.socket.destroyed) open.delete(raw);
      else if (!sending.request.waitsForMemory) sending.sentMs += nowMs - sending.checkedAtMs;
      sending.checkedAtMs = nowMs;
      if (sending.sentMs > timeoutMs) cutOff(app, raw, sending);
    }
  };
  const timer = setInterval(check, CHECK_INTERVAL_MS).unref();
  app.addHook('onClose', (_, done) => {
    clearInterval(timer);
    done();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Answers 408 as to a request that Node has found too slow, unless it has been answered without its body. */
function cutOff(app: FastifyInstance, { socket }: IncomingMessage, { reply }: Sending): void {
  if (reply.raw.headersSent) return void socket.destroy();
  app.server.emit('clientError', Object.assign(new Error('Request timeout'), { code: REQUEST_TIMEOUT }), socket);
}
