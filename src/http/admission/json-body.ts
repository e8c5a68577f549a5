import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { withoutLostNumbers } from '../protocol/json-numbers.ts';
import { checkValues } from './json-limits.ts';
import type { MainThread } from './blocking-work.ts';
import { HttpError } from '../protocol/problem.ts';

/** Longer bodies are parsed by turns. One of this length takes up to 40 ms. */
const PARSED_AT_ONCE_MAX_BYTES = 64 * 1024;

/** Bodies are JSON in UTF-8 and nothing else, unless a route says so. Of a member sent twice the later one counts. */
export function readJsonBodies(app: FastifyInstance, mainThread: MainThread): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  const read = (request: FastifyRequest, body: Buffer, done: (error: Error | null, body?: unknown) => void): void => {
    if (!isInUtf8(request.headers['content-type'])) return done(new HttpError(415, 'JSON is read in UTF-8.'));
    if (!isUtf8(body)) return done(new HttpError(400, 'The body is not UTF-8.'));
    void parse(request, withoutLostNumbers(body.toString()), done);
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length <= PARSED_AT_ONCE_MAX_BYTES) return read(request, body, done);
    const inTurn = mainThread.run(request.session, request.raw.socket, () => {
      checkValues(body);
      read(request, body, done);
    });
    inTurn.catch(done);
  });
  app.addHook('onRequest', ({ headers }, _, done) => {
    const encoding = headers['content-encoding'];
    done(
      encoding === undefined || encoding === 'identity'
        ? undefined
        : new HttpError(415, 'Compressed bodies are not read.'),
    );
  });
}

function isInUtf8(contentType = ''): boolean {
  const charset = /charset *= *"?([\w-]+)/i.exec(contentType)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}
