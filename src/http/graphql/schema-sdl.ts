import type { FastifyInstance } from 'fastify';
import { loginRequired } from '../../errors.ts';
import { presentsCredentials } from '../admission/authenticate.ts';
import { compress, type ContentCoding } from '../protocol/content-coding.ts';
import { preferredCoding } from '../protocol/content-negotiation.ts';
import { contentEtag, matchesEtag } from '../protocol/etag.ts';

export const sdlPath = '/api/v1/admin/schema.graphql';

export type SdlDependencies = {
  /** The SDL files, in any order. */
  sdl: readonly string[];
  /** Who may introspect the schema: everybody, or only callers with a valid token. */
  introspection: 'public' | 'token';
};

type Coded = { readonly bytes: Uint8Array; readonly etag: string };

/** Serves the SDL as one document, for tools of clients. Who may read it is as for introspection. */
export function sdlRoute(app: FastifyInstance, { sdl, introspection }: SdlDependencies): void {
  const text = Buffer.from(sdl.join('\n'));
  const coded = new Map<ContentCoding | null, Coded>();
  const cacheControl = introspection === 'token' ? 'private, no-cache' : 'public, no-cache';
  app.get(sdlPath, async (request, reply) => {
    if (!request.session && (introspection === 'token' || presentsCredentials(request))) throw loginRequired();
    const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = request.headers;
    // Without the header, commands such as `curl -o` store what they get.
    const coding = acceptEncoding === undefined ? null : preferredCoding(acceptEncoding);
    const { bytes, etag } = coded.get(coding) ?? encode(text, coding);
    coded.set(coding, { bytes, etag });
    reply.headers({ etag, 'cache-control': cacheControl, vary: 'Accept-Encoding' });
    if (matchesEtag(ifNoneMatch, etag)) return await reply.code(304).send();
    if (coding) reply.header('content-encoding', coding);
    return await reply.type('text/plain; charset=utf-8').send(bytes);
  });
}

function encode(text: Buffer, coding: ContentCoding | null): Coded {
  const bytes = coding ? compress(text, coding) : text;
  return { bytes, etag: contentEtag(bytes) };
}
