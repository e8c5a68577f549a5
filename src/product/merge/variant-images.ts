import { type SQL, sql } from 'drizzle-orm';
import type { StoredImage } from '../../../drizzle/product-values.ts';
import { variant } from '../../../drizzle/product.ts';
import { ownedBy, type Tenant } from '../../db/sql/parameter.ts';
import { changeMarks } from '../../db/write/touch.ts';

/** In display order: by `order`, then in the order they were sent. */
export function sortedImages(images: readonly StoredImage[]): StoredImage[] {
  return images.toSorted((a, b) => a.order - b.order);
}

/** Makes the first image the main one if none is. */
export function withMainImage(images: readonly StoredImage[]): StoredImage[] {
  if (images.some(({ isMain }) => isMain)) return [...images];
  return images.map((image, index) => ({ ...image, isMain: index === 0 }));
}

/** The statement that replaces the images of the variants by JSON lists. */
export function writeImages(ctx: Tenant, changed: readonly { id: string; images: string }[]): SQL {
  const rows = changed.map(({ id, images }) => `{"id":"${id}","images":${images}}`);
  return sql`
    update ${variant} set images = changed.images, ${changeMarks(variant)}
    from json_to_recordset(${`[${rows.join()}]`}::json) as changed (id uuid, images json)
    where ${ownedBy(ctx, variant)} and ${variant.id} = changed.id`;
}
