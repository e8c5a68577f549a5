import type { FastifyInstance } from 'fastify';
import { loginRequired } from '../../errors.ts';
import { presentsCredentials } from '../admission/authenticate.ts';
import { CodedContent, WITH_HEAD } from '../protocol/coded-content.ts';
import { refuseOtherMethods } from '../protocol/other-methods.ts';

const sdlPath = '/api/v1/admin/schema.graphql';

export type SdlDependencies = {
  /** The SDL files, in any order. */
  sdl: readonly string[];
  /** Who may introspect the schema: everybody, or only callers with a valid token. */
  introspection: 'public' | 'token';
};

/** Serves the SDL as one document, for tools of clients. Who may read it is as for introspection. */
export function sdlRoute(app: FastifyInstance, { sdl, introspection }: SdlDependencies): void {
  const content = new CodedContent(sdl.join('\n'), 'text/plain; charset=utf-8');
  const cacheControl = introspection === 'token' ? 'private, no-cache' : 'public, no-cache';
  refuseOtherMethods(app, sdlPath, { allowed: ['GET', 'HEAD'], message: 'Read the SDL with GET.' });
  app.get(sdlPath, WITH_HEAD, async (request, reply) => {
    if (!request.session && (introspection === 'token' || presentsCredentials(request))) throw loginRequired();
    return await content.send(request, reply, cacheControl);
  });
}
