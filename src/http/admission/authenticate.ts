import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Session } from '../../context.ts';

/** Longer than any token of ours: nothing longer is looked for. */
const maxTokenLength = 512;
const credentials = /^Bearer ([\w.~+/-]+=*)$/i;

export type FindSession = (token: string) => Promise<Session | null>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null without a valid token, and where nobody asks. */
    session: Session | null;
  }
}

/** Asks once per request who calls, for all routes of the instance. Whether that is enough is theirs to say. */
export function authenticate(app: FastifyInstance, findSession: FindSession): void {
  app.addHook('onRequest', (request, _, done) => {
    const token = bearerToken(request);
    if (token === null) return done();
    findSession(token).then((session) => {
      request.session = session;
      done();
    }, done);
  });
}

/** Whether the request names a caller at all, rightly or not. */
export function presentsCredentials(request: FastifyRequest): boolean {
  return request.headers.authorization !== undefined;
}

function bearerToken(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  if (header === undefined || header.length > maxTokenLength || isRepeated(request)) return null;
  return credentials.exec(header)?.[1] ?? null;
}

/** Node keeps the first of several, so that another reader of the request could believe another. */
function isRepeated(request: FastifyRequest): boolean {
  const names = request.raw.rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.length === 13 && text.toLowerCase() === 'authorization',
  );
  return names.length > 1;
}
