import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { withoutUnderflow } from '../../values/json.ts';
import { HttpError } from '../protocol/problem.ts';
import type { BlockingWorkQueue } from './blocking-work-queue.ts';
import { checkJsonLimits } from './json-limits.ts';

/**
 * Bodies up to this length are parsed at once, which takes up to 20 ms. They are too short for the 5,000 different names
 * that `checkJsonLimits` refuses. Longer bodies wait in the queue for blocking work, and are checked first.
 */
const MAX_PARSED_AT_ONCE_BYTES = 32 * 1024;

/** Parses a body, or the JSON in a form. Of duplicate members the last one counts. */
export type JsonParser = (
  request: FastifyRequest,
  json: Buffer,
  done: (error: Error | null, value?: unknown) => void,
) => void;

export function createJsonParser(app: FastifyInstance, blockingWork: BlockingWorkQueue): JsonParser {
  const parse = app.getDefaultJsonParser('error', 'error');
  const read: JsonParser = (request, json, done) => {
    if (!isUtf8(json)) return done(new HttpError(400, 'The body is not UTF-8.'));
    void parse(request, withoutUnderflow(json.toString()), done);
  };
  return (request, json, done) => {
    if (json.length <= MAX_PARSED_AT_ONCE_BYTES) return read(request, json, done);
    const inTurn = async (work: () => void): Promise<void> =>
      await blockingWork.run(request.session, request.raw.socket, work);
    inTurn(() => checkJsonLimits(json))
      .then(async () => await inTurn(() => read(request, json, done)))
      .catch(done);
  };
}

/** Accepts JSON in UTF-8 only; routes may add other parsers. */
export function readJsonBodies(app: FastifyInstance, blockingWork: BlockingWorkQueue): void {
  const parse = createJsonParser(app, blockingWork);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (!isInUtf8(request.headers['content-type'])) return done(new HttpError(415, 'JSON is read in UTF-8.'));
    parse(request, body, done);
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
