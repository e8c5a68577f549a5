import { readFileSync } from 'node:fs';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { CodedContent, REVALIDATED, WITH_HEAD } from '../protocol/coded-content.ts';
import { contentSecurityPolicy, OWN_FILES } from '../protocol/content-security-policy.ts';

/** With trusted types, a script cannot write a receiver's response into the page as HTML. */
const CONTENT_SECURITY_POLICY = contentSecurityPolicy({
  ...OWN_FILES,
  requireTrustedTypesFor: ["'script'"],
  trustedTypes: ["'none'"],
});

/** Path, file and media type of what is served. `npm run console:build` makes the bundle. */
const FILES = [
  ['/console', 'index.html', 'text/html; charset=utf-8'],
  ['/console/console.js', 'bundle/console.js', 'text/javascript; charset=utf-8'],
  ['/console/console.css', 'bundle/console.css', 'text/css; charset=utf-8'],
] as const;

const SOURCE = new URL('../../console/', import.meta.url);

/**
 * Serves the files of the console without authentication: they contain no data of any merchant. In the browser the
 * console reads data with the access token of its session.
 */
export async function consoleRoutes(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: CONTENT_SECURITY_POLICY,
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
  });
  for (const [path, file, type] of FILES) {
    const content = new CodedContent(readFileSync(new URL(file, SOURCE), 'utf8'), type);
    app.get(path, WITH_HEAD, async (request, reply) => await content.send(request, reply, REVALIDATED));
  }
}
