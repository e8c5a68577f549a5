import { type SQL, sql } from 'drizzle-orm';
import { productBrand } from '../../drizzle/brand.ts';
import { category } from '../../drizzle/category.ts';
import type { StoredImage } from '../../drizzle/product-values.ts';
import { product, variant } from '../../drizzle/product.ts';
import type { MerchantContext } from '../context.ts';
import { pipelineStep, pipeline } from '../db/connection/pipeline.ts';
import { column, readIds, readRows } from '../db/connection/read-rows.ts';
import { objectsOf } from '../db/read/stored-list.ts';
import { idArray, ownedBy } from '../db/sql/parameter.ts';
import { changeMarks, touch } from '../db/write/touch.ts';
import { isUnchanged } from '../db/write/unchanged.ts';
import { type InputPath, invalidAt, refuseUnknown } from '../errors.ts';
import { mapInSlices } from '../limits/event-loop-slices.ts';
import { DEFAULT_LIST_SIZE } from '../limits/list-size.ts';
import { sortedImages, withMainImage, writeImages } from '../product/merge/variant-images.ts';
import type { ImageTarget } from './upload-input.ts';

type VariantTarget = Extract<ImageTarget, { kind: 'variant' }>;
type RecordTarget = Extract<ImageTarget, { kind: 'category' | 'brand' }>;
type Owner = { id: string; productId: string; images: StoredImage[] | null };
type FoundVariant = { id: string; imageBytes: number };

export type AddedImage = {
  readonly imageId: string;
  readonly order: number;
  readonly isMain: boolean;
  readonly isVideo?: boolean | null;
  readonly sourceUrl?: string;
};

/** What a bulk request wants of a picture, with its place in the list of the variant. */
type RequestedImage = { readonly isMain: boolean; readonly place: number };
export type FindRequested = (image: StoredImage) => RequestedImage | undefined;

const UNLOCKED = sql``;
/** Maximum bytes of the stored images of the variants that an upload names. All of them are read into memory. */
const MAX_IMAGES_BYTES = 32 * 1024 * 1024;

/** Throws if an id names no live record of this merchant. */
export async function checkImageTarget(ctx: MerchantContext, target: ImageTarget): Promise<void> {
  if (target.kind === 'variant') await findVariants(ctx, target, UNLOCKED);
  else await findRecords(ctx, target, UNLOCKED);
}

/** Adds the image to all target records, or to none. Must run in a transaction. */
export async function attachImage(ctx: MerchantContext, target: ImageTarget, imageId: string): Promise<void> {
  if (target.kind !== 'variant') return await setImage(ctx, target, imageId);
  await attachToVariants(ctx, target, { imageId, order: target.order, isMain: target.isMain });
}

/**
 * Updates the image if a variant has it already. A new main image replaces the old main image. Must run in a
 * transaction.
 */
export async function attachToVariants(
  ctx: MerchantContext,
  target: Pick<VariantTarget, 'ids' | 'idsPath'>,
  added: AddedImage,
  requested?: FindRequested,
): Promise<void> {
  await findVariants(ctx, target, sql`for update`);
  const variants = await readOwners(ctx, target.ids);
  const attached = await mapInSlices(ctx, variants, (variant) => {
    const former = objectsOf<StoredImage>(variant.images);
    const images = withImage(former, added, requested);
    if (images.length > Math.max(DEFAULT_LIST_SIZE, former.length)) throw tooManyImages(variant, target);
    return isUnchanged({ images }, variant) ? [] : [{ ...variant, images: JSON.stringify(images) }];
  });
  const changed = attached.flat();
  if (changed.length === 0) return;
  const productIds = changed.map(({ productId }) => productId);
  await pipeline(ctx, [pipelineStep(writeImages(ctx, changed)), ...touch(ctx, product, productIds)]);
}

function tooManyImages({ id }: Owner, { ids, idsPath }: Pick<VariantTarget, 'ids' | 'idsPath'>): Error {
  const message = `must not be a variant that has ${DEFAULT_LIST_SIZE} images already`;
  return invalidAt([...idsPath, ids.indexOf(id)], message);
}

function withImage(
  images: readonly StoredImage[],
  { imageId, order, isMain, isVideo, sourceUrl }: AddedImage,
  requested: FindRequested | undefined,
): StoredImage[] {
  const known = images.find((image) => image.imageId === imageId);
  const image = {
    imageId,
    order,
    // The first picture is the main one also with `isMain: false`, and stays it if the upload is repeated.
    isMain: isMain || (!requested && known?.order === order && known.isMain),
    fileName: known?.fileName ?? null,
    isVideo: isVideo ?? known?.isVideo ?? null,
    sourceUrl: sourceUrl ?? known?.sourceUrl ?? null,
  };
  if (known && requested && isOfEarlierAddress(known, image, requested)) return [...images];
  const withoutNewMain = (other: StoredImage): StoredImage => ({
    ...other,
    isMain: other.isMain && !isMain && !(requested && givesWay(other, image, requested)),
  });
  const all = known
    ? images.map((other) => (other === known ? image : withoutNewMain(other)))
    : [...images.map(withoutNewMain), image];
  const inPlace = requested ? all.toSorted((a, b) => placeOf(a, requested) - placeOf(b, requested)) : all;
  return withMainImage(sortedImages(inPlace));
}

/** Two addresses of a request may have one picture. It has the settings of the main one, or else of the first in order. */
function isOfEarlierAddress(known: StoredImage, added: StoredImage, requested: FindRequested): boolean {
  const [earlier, later] = [requested(known), requested(added)];
  if (!earlier || !later || earlier === later) return false;
  return earlier.isMain || (!later.isMain && isBefore(known, added, requested));
}

/** A picture that is the main one only because no earlier one was there. */
function givesWay(main: StoredImage, added: StoredImage, requested: FindRequested): boolean {
  return requested(main)?.isMain === false && isBefore(added, main, requested);
}

function isBefore(a: StoredImage, b: StoredImage, requested: FindRequested): boolean {
  return (a.order - b.order || placeOf(a, requested) - placeOf(b, requested)) < 0;
}

/**
 * Pictures with the same `order` follow the list of the request. Pictures that the list does not have come before them if
 * they were fetched, and after them if they were uploaded.
 */
function placeOf(image: StoredImage, requested: FindRequested): number {
  return requested(image)?.place ?? (image.sourceUrl == null ? Number.MAX_SAFE_INTEGER : -1);
}

/**
 * Throws if an id names no live variant, or if the variants have too many bytes of images to be read into memory. Locks
 * products before variants, in the order of every save.
 */
async function findVariants(
  ctx: MerchantContext,
  { ids, idsPath }: Pick<VariantTarget, 'ids' | 'idsPath'>,
  lock: SQL,
): Promise<void> {
  const found = await readRows(
    ctx,
    { id: column.text, imageBytes: column.number },
    sql`
    select ${variant.id} as "id", coalesce(octet_length(${variant.images}::text), 0) as "imageBytes"
    from ${product} join ${variant} on ${ownedBy(ctx, variant)} and ${variant.productId} = ${product.id}
    where ${ownedBy(ctx, product)} and ${variant.id} = any(${idArray(ids)}) and not ${variant.deleted}
      and not ${product.deleted}
    order by ${product.id}, ${variant.id} ${lock}`,
  );
  const foundIds = found.map(({ id }) => id);
  refuseUnknown('Variant', ids, foundIds, idsPath);
  refuseLongImages(found, idsPath);
}

function refuseLongImages(found: readonly FoundVariant[], path: InputPath): void {
  const bytes = found.reduce((sum, { imageBytes }) => sum + imageBytes, 0);
  if (bytes <= MAX_IMAGES_BYTES) return;
  const limit = `at most ${MAX_IMAGES_BYTES} bytes of stored images are changed at once`;
  throw invalidAt(path, `names variants that have ${bytes} bytes of images, but ${limit}: name fewer variants at once`);
}

async function readOwners(ctx: MerchantContext, ids: readonly string[]): Promise<Owner[]> {
  return await readRows(
    ctx,
    { id: column.text, productId: column.text, images: column.nullable(column.json<StoredImage[]>) },
    sql`
    select ${variant.id} as "id", ${variant.productId} as "productId", ${variant.images} as "images"
    from ${variant} where ${ownedBy(ctx, variant)} and ${variant.id} = any(${idArray(ids)})`,
  );
}

async function findRecords(ctx: MerchantContext, { kind, ids, idsPath }: RecordTarget, lock: SQL): Promise<void> {
  const table = kind === 'category' ? category : productBrand;
  const found = await readIds(
    ctx,
    sql`
    select ${table.id} as "id" from ${table}
    where ${ownedBy(ctx, table)} and ${table.id} = any(${idArray(ids)}) and not ${table.deleted}
    order by ${table.id} ${lock}`,
  );
  refuseUnknown(kind === 'category' ? 'Category' : 'ProductBrand', ids, found, idsPath);
}

async function setImage(ctx: MerchantContext, target: RecordTarget, imageId: string): Promise<void> {
  await findRecords(ctx, target, sql`for update`);
  const table = target.kind === 'category' ? category : productBrand;
  await ctx.db.execute(sql`
    update ${table} set image_id = ${imageId}, ${changeMarks(table)}
    where ${ownedBy(ctx, table)} and ${table.id} = any(${idArray(target.ids)})
      and ${table.imageId} is distinct from ${imageId}`);
}
