import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from '../protocol/problem.ts';

/** How often open requests and responses are checked. A slow one is cut off at most this much after its time. */
const CHECK_INTERVAL_MS = 500;
const REQUEST_TIMEOUT_STATUS = 408;
const MS_PER_S = 1_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** The body is not read at present: its session is being looked up, or it waits for memory. */
    isBodyUnread: boolean;
  }
}

export type ClientTimeouts = {
  /** From the headers of a request until all of it is received, without the time in which its body waits unread. */
  readonly requestMs: number;
  /** From the beginning of a response until the client has read it, since the unread rest is held in memory. */
  readonly responseMs: number;
};

type Exchange = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** How long the client has been sending its body. */
  sentMs: number;
  checkedAtMs: number;
  /** The time of the first check after the headers of the response were sent. */
  answeredAtMs: number | null;
  isClosed: boolean;
};

/** Closes connections on which a client takes too long to send its request or to read the response. */
export function closeSlowClients(app: FastifyInstance, timeouts: ClientTimeouts): void {
  const open = new Set<Exchange>();
  app.decorateRequest('isBodyUnread', true);
  // The hooks of routes, which may let the body wait for memory, run after this one.
  app.addHook('preParsing', (request, _reply, _body, done) => {
    request.isBodyUnread = false;
    done();
  });
  app.addHook('onRequest', (request, reply, done) => {
    const checkedAtMs = performance.now();
    const exchange: Exchange = { request, reply, sentMs: 0, checkedAtMs, answeredAtMs: null, isClosed: false };
    open.add(exchange);
    reply.raw.once('close', () => {
      exchange.isClosed = true;
      if (isReceived(request.raw)) open.delete(exchange);
    });
    done();
  });
  const check = (): void => {
    const nowMs = performance.now();
    for (const exchange of open) {
      const { request } = exchange;
      if (isReceived(request.raw) || request.raw.socket.destroyed) {
        if (exchange.isClosed) open.delete(exchange);
      } else if (checkRequest(exchange, nowMs) > timeouts.requestMs) cutOff(exchange, timeouts);
      if (!exchange.isClosed) checkResponse(exchange, nowMs, timeouts);
    }
  };
  const timer = setInterval(check, CHECK_INTERVAL_MS).unref();
  app.addHook('onClose', (_, done) => {
    clearInterval(timer);
    done();
  });
}

/** Returns how long the client has been sending its body. The body of a request that was refused unread is discarded. */
function checkRequest(exchange: Exchange, nowMs: number): number {
  if (!exchange.request.isBodyUnread || exchange.reply.raw.headersSent) exchange.sentMs += nowMs - exchange.checkedAtMs;
  exchange.checkedAtMs = nowMs;
  return exchange.sentMs;
}

function checkResponse(exchange: Exchange, nowMs: number, { responseMs }: ClientTimeouts): void {
  const { raw } = exchange.reply;
  if (exchange.answeredAtMs === null && raw.headersSent) exchange.answeredAtMs = nowMs;
  else if (exchange.answeredAtMs !== null && nowMs - exchange.answeredAtMs > responseMs) raw.destroy();
}

/** A request without a body is received with its headers. */
function isReceived({ complete, headers }: IncomingMessage): boolean {
  return complete || (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0);
}

/**
 * Emits an error on the request, so that reading the body fails and the route answers with an error in its own format.
 * Closes the connection if the response was sent already, or if nothing reads the body.
 */
function cutOff({ request: { raw }, reply }: Exchange, { requestMs }: ClientTimeouts): void {
  if (reply.raw.headersSent) return void raw.socket.destroy();
  if (raw.listenerCount('error') === 0) {
    // The status for the log.
    reply.code(REQUEST_TIMEOUT_STATUS);
    return void raw.socket.destroy();
  }
  const message = `The body was not received within ${requestMs / MS_PER_S} seconds.`;
  raw.emit('error', new HttpError(REQUEST_TIMEOUT_STATUS, message, { connection: 'close' }));
}
