import type { FastifyInstance, HTTPMethods } from 'fastify';
import { HttpError } from './problem.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] satisfies HTTPMethods[];

/**
 * Answers 405 with `Allow` (RFC 9110, 15.5.6) to the methods that an address does not have. Without it they get 404, as
 * if there were nothing at the address. The answer is sent before the body is read and needs no token.
 */
export function refuseOtherMethods(
  app: FastifyInstance,
  url: string,
  { allowed, message }: { allowed: readonly (typeof METHODS)[number][]; message: string },
): void {
  const error = new HttpError(405, message, { allow: allowed.join(', ') });
  app.route({
    method: METHODS.filter((method) => !allowed.includes(method)),
    url,
    onRequest: (_request, _reply, done) => done(error),
    handler: () => undefined,
  });
}
