import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isMissingPackage, MissingPackageError } from '../../installation/missing-package.ts';
import { siblingModule } from '../../installation/sibling-module.ts';
import { codedBytes, type CodedBytes, sendCoded } from '../protocol/coded-content.ts';
import { type ContentCoding, contentCodings } from '../protocol/content-coding.ts';
import { preferredCoding } from '../protocol/content-negotiation.ts';
import { contentSecurityPolicy } from '../protocol/content-security-policy.ts';
import { onFirstUse } from '../protocol/on-first-use.ts';
import { HttpError } from '../protocol/problem.ts';
import type { CompressedPage } from './graphiql-thread.ts';

/** The page contains all its scripts, styles and fonts. */
const CONTENT_SECURITY_POLICY = contentSecurityPolicy({
  scriptSrc: ["'unsafe-inline'", 'blob:'],
  workerSrc: ['blob:'],
  styleSrc: ["'unsafe-inline'"],
  fontSrc: ['data:'],
});

/** The page changes only with a release of the service, and an older page works with a newer service. */
const CACHE_CONTROL = 'public, max-age=86400';

const HTML = 'text/html; charset=utf-8';
/** The address answers GraphQL requests too, by their `Accept`. */
const VARY = 'Accept, Accept-Encoding';

type Page = Record<ContentCoding, CodedBytes>;
type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Serves GraphiQL to browsers. Its security headers are set for this page only. */
export async function graphiqlPage(app: FastifyInstance, endpoint: string): Promise<SendPage> {
  await app.register(helmet, {
    global: false,
    contentSecurityPolicy: CONTENT_SECURITY_POLICY,
    strictTransportSecurity: false,
  });
  const page = onFirstUse(async () => await makePage(endpoint));
  return async (request, reply) => {
    const coding = preferredCoding(request.headers['accept-encoding']);
    if (!coding)
      throw new HttpError(406, `The page is sent compressed only, with one of ${contentCodings.join(', ')}.`);
    const bytes = (await page())[coding];
    reply.helmet();
    return await sendCoded(request, reply, bytes, { coding, type: HTML, cacheControl: CACHE_CONTROL, vary: VARY });
  };
}

/** Rendered on the first request, since most deployments never show it. */
async function makePage(endpoint: string): Promise<Page> {
  const thread = new Worker(siblingModule(import.meta.url, 'graphiql-thread'), {
    workerData: endpoint,
    name: 'graphiql',
  });
  const [compressed] = (await once(thread, 'message').catch((error: unknown) => {
    throw isMissingPackage(error) ? new HttpError(404, new MissingPackageError('GraphiQL').message) : error;
  })) as [CompressedPage];
  return { br: codedBytes(compressed.br), gzip: codedBytes(compressed.gzip) };
}
