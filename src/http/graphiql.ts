import helmet from '@fastify/helmet';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
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
export async function graphiqlPage(app: FastifyInstance, endpoint: string): Promise<(reply: FastifyReply) => FastifyReply> {
  await app.register(helmet, { global: false, contentSecurityPolicy: policy, strictTransportSecurity: false });
  const page = renderGraphiQL({ title: 'Commerce Administration', endpoint });
  return (reply) => {
    reply.helmet();
    return reply.type('text/html; charset=utf-8').send(page);
  };
}
