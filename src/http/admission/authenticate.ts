import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Session } from '../../context.ts';
import type { Span } from '../../tracing/span.ts';

/** Longer than any access token. Longer ones are not looked up. */
const MAX_TOKEN_LENGTH = 512;
/** RFC 9110, 11.4 allows several spaces after the scheme. */
const BEARER_CREDENTIALS = /^Bearer +([\w.~+/-]+=*)$/i;

export type FindSession = (token: string, span: Span | null) => Promise<Session | null>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of the token; null without a valid token, and on routes without authentication. */
    session: Session | null;
  }
}

/** Looks up the session of each request to the instance. The routes decide whether they need one. */
export function authenticate(app: FastifyInstance, findSession: FindSession): void {
  app.addHook('onRequest', (request, _, done) => {
    const token = bearerToken(request);
    if (token === null) return done();
    findSession(token, request.span).then((session) => {
      request.session = session;
      done();
    }, done);
  });
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
  const names = request.raw.rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.length === 13 && text.toLowerCase() === 'authorization',
  );
  return names.length > 1;
}
