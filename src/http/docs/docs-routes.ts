import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CodedContent } from '../protocol/coded-content.ts';
import { HttpError } from '../protocol/problem.ts';
import type { Document } from './documents.ts';
import type { PagesOptions } from './pages.ts';

/** Styles, script and search index come from this server. Nothing is inline, and no other host is asked. */
const CONTENT_SECURITY_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ['data:'],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
};

/** Asked again with the entity tag after each release of the service. */
const CACHE_CONTROL = 'public, no-cache';

type Documents = ReadonlyMap<string, CodedContent>;

/** Serves the documentation to everybody: it has nothing of any merchant. */
export async function docsRoutes(app: FastifyInstance, options: PagesOptions): Promise<void> {
  await app.register(helmet, { contentSecurityPolicy: CONTENT_SECURITY_POLICY, strictTransportSecurity: false });
  let documents: Promise<Documents> | undefined;
  const send = async (path: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    documents ??= makeDocuments(options).catch((error: unknown) => {
      documents = undefined;
      throw error;
    });
    const content = (await documents).get(path);
    if (!content) throw new HttpError(404, 'There is no such page. /docs lists all pages.');
    return await content.send(request, reply, CACHE_CONTROL);
  };
  app.get('/docs', async (request, reply) => await send('/docs', request, reply));
  app.get('/llms.txt', async (request, reply) => await send('/llms.txt', request, reply));
  app.get<{ Params: { '*': string } }>(
    '/docs/*',
    async (request, reply) => await send(`/docs/${request.params['*']}`, request, reply),
  );
}

async function makeDocuments(options: PagesOptions): Promise<Documents> {
  const thread = new Worker(new URL('docs-thread.ts', import.meta.url), { workerData: options, name: 'docs' });
  const [documents] = (await once(thread, 'message')) as [Document[]];
  return new Map(documents.map(({ path, type, text }) => [path, new CodedContent(text, type)]));
}
