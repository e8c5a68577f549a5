import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { findImage } from '../../image/find-image.ts';
import { type Rendition, type Renditions, renditionWidth } from '../../image/rendition.ts';
import { matchesEtag } from '../protocol/etag.ts';
import { HttpError } from '../protocol/problem.ts';

/** The picture at an address never changes: each picture has an id of its own. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';
/** Other sites may show the pictures. A picture that is opened by itself can load and run nothing. */
const RESPONSE_HEADERS = {
  'cache-control': CACHE_CONTROL,
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'",
};
const FILE_NAME = /^image_([1-9]\d{2,3})\.webp$/;

export type ImageRouteDependencies = Pick<Context, 'db'> & { readonly renditions: Renditions };

export function imageRoutes(app: FastifyInstance, dependencies: ImageRouteDependencies): void {
  app.route<{ Params: { merchantId: string; imageId: string; file: string } }>({
    method: ['GET', 'HEAD'],
    url: '/images/:merchantId/:imageId/:file',
    handler: async ({ params, headers }, reply) => {
      const rendition = await findRendition(dependencies, params);
      if (!rendition) throw new HttpError(404, 'There is no image at this address.');
      reply.headers({ ...RESPONSE_HEADERS, etag: rendition.etag });
      return await send(reply, rendition, headers['if-none-match']);
    },
  });
}

async function findRendition(
  { db, renditions }: ImageRouteDependencies,
  path: { merchantId: string; imageId: string; file: string },
): Promise<Rendition | null> {
  const width = renditionWidth(FILE_NAME.exec(path.file)?.[1] ?? '');
  const image = width && (await findImage({ db }, path.merchantId, path.imageId));
  return image ? await renditions.read(image, width) : null;
}

async function send(
  reply: FastifyReply,
  { bytes, etag }: Rendition,
  ifNoneMatch: string | undefined,
): Promise<FastifyReply> {
  if (matchesEtag(ifNoneMatch, etag)) return await reply.code(304).send();
  return await reply.headers({ 'content-type': 'image/webp', 'content-length': bytes.length }).send(bytes);
}
