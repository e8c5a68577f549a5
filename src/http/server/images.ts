import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { findImage } from '../../image/find-image.ts';
import {
  renditionEtag,
  type Renditions,
  type RenditionWidth,
  renditionWidth,
  type StoredImage,
} from '../../image/rendition.ts';
import { FairLimiter, releaseOnClose } from '../admission/fair-limiter.ts';
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
/** Pictures that are sent at once. Each takes a file or a connection to the bucket, also for a client that reads nothing. */
const LIMITS = { max: 256, maxPerMerchant: 192, maxWaiting: 1_000, maxWaitMs: 10_000 };
const FILE_NAME = /^image_([1-9]\d{2,3})\.webp$/;

export type ImageRouteDependencies = Pick<Context, 'db'> & { readonly renditions: Renditions };

export function imageRoutes(app: FastifyInstance, dependencies: ImageRouteDependencies): void {
  const limiter = new FairLimiter(LIMITS);
  app.route<{ Params: { merchantId: string; imageId: string; file: string } }>({
    method: ['GET', 'HEAD'],
    url: '/images/:merchantId/:imageId/:file',
    handler: async ({ params, headers, method }, reply) => {
      const found = await findPicture(dependencies, params);
      if (!found) throw unknownImage();
      const { image, width } = found;
      const etag = renditionEtag(image, width);
      if (matchesEtag(headers['if-none-match'], etag)) return await reply.headers(cacheHeaders(etag)).code(304).send();
      releaseOnClose(reply.raw, await limiter.acquire(image, 1, reply.raw));
      const rendition = await dependencies.renditions.open(image, width);
      if (!rendition) throw unknownImage();
      const { size, stream } = rendition;
      reply.headers({ ...cacheHeaders(etag), 'content-type': 'image/webp', 'content-length': size });
      if (method === 'GET') return await reply.send(stream);
      stream.destroy();
      return await reply.send();
    },
  });
}

async function findPicture(
  { db }: ImageRouteDependencies,
  path: { merchantId: string; imageId: string; file: string },
): Promise<{ image: StoredImage; width: RenditionWidth } | null> {
  const width = renditionWidth(FILE_NAME.exec(path.file)?.[1] ?? '');
  const image = width && (await findImage({ db }, path.merchantId, path.imageId));
  return image ? { image, width } : null;
}

function cacheHeaders(etag: string): Record<string, string> {
  return { ...RESPONSE_HEADERS, etag };
}

function unknownImage(): HttpError {
  return new HttpError(404, 'There is no image at this address.');
}
