import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isMissingPackage, MissingPackageError } from '../../missing-package.ts';
import { type ContentCoding, contentCodings } from '../protocol/content-coding.ts';
import { preferredCoding } from '../protocol/content-negotiation.ts';
import { contentEtag, matchesEtag } from '../protocol/etag.ts';
import { HttpError } from '../protocol/problem.ts';
import type { CompressedPage } from './graphiql-thread.ts';

/** The page contains all its scripts, styles and fonts, and may send requests to this server only. */
const CONTENT_SECURITY_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'unsafe-inline'", 'blob:'],
    workerSrc: ['blob:'],
    styleSrc: ["'unsafe-inline'"],
    fontSrc: ['data:'],
    imgSrc: ['data:'],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
};

/** The page changes only with a release of the service, and an older page works with a newer service. */
const CACHE_CONTROL = 'public, max-age=86400';

type Page = Record<ContentCoding, { bytes: Buffer; etag: string }>;
type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Serves GraphiQL to browsers. Its security headers are set for this page only. */
export async function graphiqlPage(app: FastifyInstance, endpoint: string): Promise<SendPage> {
  await app.register(helmet, {
    global: false,
    contentSecurityPolicy: CONTENT_SECURITY_POLICY,
    strictTransportSecurity: false,
  });
  let page: Promise<Page> | undefined;
  return async ({ headers }, reply) => {
    const coding = preferredCoding(headers['accept-encoding']);
    if (!coding)
      throw new HttpError(406, `The page is sent compressed only, with one of ${contentCodings.join(', ')}.`);
    page ??= makePage(endpoint).catch((error: unknown) => {
      page = undefined;
      throw error;
    });
    const { bytes, etag } = (await page)[coding];
    reply.helmet();
    reply.headers({ etag, 'cache-control': CACHE_CONTROL, vary: 'Accept, Accept-Encoding' });
    if (matchesEtag(headers['if-none-match'], etag)) return await reply.code(304).send();
    return await reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-encoding': coding }).send(bytes);
  };
}

/** Rendered on the first request, since most deployments never show it. */
async function makePage(endpoint: string): Promise<Page> {
  const thread = new Worker(new URL('graphiql-thread.ts', import.meta.url), { workerData: endpoint, name: 'graphiql' });
  const [compressed] = (await once(thread, 'message').catch((error: unknown) => {
    throw isMissingPackage(error) ? new HttpError(404, new MissingPackageError('GraphiQL').message) : error;
  })) as [CompressedPage];
  return {
    br: { bytes: Buffer.from(compressed.br), etag: contentEtag(compressed.br) },
    gzip: { bytes: Buffer.from(compressed.gzip), etag: contentEtag(compressed.gzip) },
  };
}
