import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { HttpError } from './problem.ts';

/** Bodies are JSON in UTF-8 and nothing else, unless a route says so. Of a member sent twice the later one counts. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (!isInUtf8(request.headers['content-type'])) return done(new HttpError(415, 'JSON is read in UTF-8.'));
    if (!isUtf8(body as Buffer)) return done(new HttpError(400, 'The body is not UTF-8.'));
    return void parse(request, body.toString(), done);
  });
  app.addHook('onRequest', ({ headers }, _, done) => {
    const encoding = headers['content-encoding'];
    done(encoding === undefined || encoding === 'identity' ? undefined : new HttpError(415, 'Compressed bodies are not read.'));
  });
}

function isInUtf8(contentType = ''): boolean {
  const charset = /charset *= *"?([\w-]+)/i.exec(contentType)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}
