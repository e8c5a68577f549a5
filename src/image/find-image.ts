import { and, eq } from 'drizzle-orm';
import { image } from '../../drizzle/image.ts';
import type { Context } from '../context.ts';
import { isId } from '../db/sql/id.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import type { StoredImage } from './rendition.ts';

/** Pictures are public: anybody with the URL may read them. */
export async function findImage(
  { db }: Pick<Context, 'db'>,
  merchantId: string,
  imageId: string,
): Promise<StoredImage | null> {
  if (!isId(merchantId) || !isId(imageId)) return null;
  const [row] = await db
    .select({ width: image.width, height: image.height })
    .from(image)
    .where(and(ownedBy({ merchantId }, image), eq(image.id, imageId)));
  return row ? { merchantId, imageId, ...row } : null;
}
