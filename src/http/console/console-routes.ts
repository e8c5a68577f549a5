import { readFileSync } from 'node:fs';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { CodedContent } from '../protocol/coded-content.ts';

/** Nothing is inline, and no other host is asked. Scripts cannot write texts of receivers into the page as HTML. */
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
    requireTrustedTypesFor: ["'script'"],
    trustedTypes: ["'none'"],
  },
};

/** Asked again with the entity tag, so that a new release of the service brings a new console. */
const CACHE_CONTROL = 'public, no-cache';

/** The bundle is made by `npm run console:build`. */
const FILES = [
  ['/console', 'index.html', 'text/html; charset=utf-8'],
  ['/console/console.js', 'bundle/console.js', 'text/javascript; charset=utf-8'],
  ['/console/console.css', 'bundle/console.css', 'text/css; charset=utf-8'],
] as const;

const SOURCE = new URL('../../console/', import.meta.url);

/** Serves the console to everybody: it has nothing of any merchant until it has a token. */
export async function consoleRoutes(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: CONTENT_SECURITY_POLICY,
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
  });
  for (const [path, file, type] of FILES) {
    const content = new CodedContent(readFileSync(new URL(file, SOURCE), 'utf8'), type);
    app.get(path, async (request, reply) => await content.send(request, reply, CACHE_CONTROL));
  }
}
