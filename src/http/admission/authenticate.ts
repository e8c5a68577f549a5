import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Session } from '../../context.ts';
import type { Database } from '../../db/connection/database.ts';
import { loginRequired } from '../../errors.ts';
import type { Span } from '../../tracing/span.ts';

/** Longer than any access token. Longer ones are not looked up. */
const MAX_TOKEN_LENGTH = 512;
const NAME = 'authorization';
/** RFC 9110, 11.4 allows several spaces after the scheme. */
const BEARER_CREDENTIALS = /^Bearer +([\w.~+/-]+=*)$/i;
/**
 * A session that was found longer ago is looked up again before the request is executed. With the time for which
 * sessions are cached this is one second.
 */
const MAX_SESSION_AGE_MS = 100;

/** With `db` the session is read by it; otherwise it may come from the cache. */
export type FindSession = (token: string, span: Span | null, db?: Database) => Promise<Session | null>;

declare module 'fastify' {
  interface FastifyInstance {
    findSession: FindSession;
  }
  interface FastifyRequest {
    /** The session of the token; null without a valid token, and on routes without authentication. */
    session: Session | null;
    /** When the session was found, by `performance.now()`. */
    sessionFoundAt: number;
  }
}

/** Looks up the session of each request to the instance. The routes decide whether they need one. */
export function authenticate(app: FastifyInstance, findSession: FindSession): void {
  app.decorate('findSession', findSession);
  app.decorateRequest('sessionFoundAt', 0);
  app.addHook('onRequest', (request, _, done) => {
    const token = bearerToken(request);
    if (token === null) return done();
    const lookedUpAt = performance.now();
    findSession(token, request.span).then((session) => {
      request.session = session;
      request.sessionFoundAt = lookedUpAt;
      done();
    }, done);
  });
}

/**
 * The session, looked up again if its token may have been revoked since, while the request was received or waited. Throws
 * LOGIN_REQUIRED if the token is not valid any more. In a transaction `db` must be the transaction: if all connections
 * had transactions that wait for another connection, none would go on.
 */
export async function currentSession(request: FastifyRequest, db?: Database): Promise<Session> {
  if (request.session && performance.now() - request.sessionFoundAt > MAX_SESSION_AGE_MS) {
    request.sessionFoundAt = performance.now();
    request.session = await request.server.findSession(bearerToken(request)!, request.span, db);
  }
  if (!request.session) throw loginRequired();
  return request.session;
}

/** Whether the request has an Authorization header, valid or not. */
export function presentsCredentials(request: FastifyRequest): boolean {
  return request.headers.authorization !== undefined;
}

function bearerToken(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  if (header === undefined || header.length > MAX_TOKEN_LENGTH || isRepeated(request)) return null;
  return BEARER_CREDENTIALS.exec(header)?.[1] ?? null;
}

/** Node uses the first of several Authorization headers; a proxy in front may have checked another one. */
function isRepeated(request: FastifyRequest): boolean {
  const { rawHeaders } = request.raw;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.length === NAME.length && rawHeaders[index]!.toLowerCase() === NAME) count += 1;
  return count > 1;
}
