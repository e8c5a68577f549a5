import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { siblingModule } from '../../installation/sibling-module.ts';
import { CodedContent, REVALIDATED, WITH_HEAD } from '../protocol/coded-content.ts';
import { contentSecurityPolicy, OWN_FILES } from '../protocol/content-security-policy.ts';
import { onFirstUse } from '../protocol/on-first-use.ts';
import { HttpError } from '../protocol/problem.ts';
import type { Document } from './documents.ts';
import type { PagesOptions } from './pages.ts';

type Documents = ReadonlyMap<string, CodedContent>;

/** Serves the documentation without authentication: it contains no data of any merchant. */
export async function docsRoutes(app: FastifyInstance, options: PagesOptions): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: contentSecurityPolicy(OWN_FILES),
    strictTransportSecurity: false,
  });
  const documents = onFirstUse(async () => await makeDocuments(options));
  const send = async (path: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const content = (await documents()).get(path);
    if (!content) throw new HttpError(404, 'There is no such page. /docs lists all pages.');
    return await content.send(request, reply, REVALIDATED);
  };
  app.get('/docs', WITH_HEAD, async (request, reply) => await send('/docs', request, reply));
  app.get('/llms.txt', WITH_HEAD, async (request, reply) => await send('/llms.txt', request, reply));
  app.get<{ Params: { '*': string } }>(
    '/docs/*',
    WITH_HEAD,
    async (request, reply) => await send(`/docs/${request.params['*']}`, request, reply),
  );
}

/** Renders in a worker thread, which ends afterwards. */
async function makeDocuments(options: PagesOptions): Promise<Documents> {
  const thread = new Worker(siblingModule(import.meta.url, 'docs-thread'), { workerData: options, name: 'docs' });
  const [documents] = (await once(thread, 'message')) as [Document[]];
  return new Map(documents.map(({ path, type, text }) => [path, new CodedContent(text, type)]));
}
