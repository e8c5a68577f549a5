import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** The page has all its scripts, styles and fonts in it and may ask no other host for anything. */
const policy = {
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

/** GraphiQL for browsers. Its headers are set for the page alone: other answers are no place for them. */
export async function graphiqlPage(app: FastifyInstance, endpoint: string): Promise<(reply: FastifyReply) => Promise<FastifyReply>> {
  await app.register(helmet, { global: false, contentSecurityPolicy: policy, strictTransportSecurity: false });
  let page: Promise<Buffer> | undefined;
  return async (reply) => {
    page ??= renderPage(endpoint);
    const rendered = await page;
    reply.helmet();
    return await reply.type('text/html; charset=utf-8').send(rendered);
  };
}

/** Loaded when first asked for: the page is 9 MB, and most services never show it. */
async function renderPage(endpoint: string): Promise<Buffer> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  return Buffer.from(renderGraphiQL({ title: 'Commerce Administration', endpoint }));
}
