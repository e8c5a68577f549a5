import { readdir, readFile, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { and, not, sql } from 'drizzle-orm';
import { product } from '../../drizzle/product.ts';
import type { Context } from '../context.ts';
import { idArray, ownedBy } from '../db/sql/parameter.ts';
import { CommerceError, type ErrorCode, type Issue } from '../errors.ts';
import type { Variant } from '../graphql/generated/types.ts';
import { listProduct } from '../product/listProduct.ts';
import { idsBySlug, idsBySourceId } from '../product/stored/product-keys.ts';
import { MAX_IMAGE_BYTES } from './decode.ts';
import { type ImageDependencies, uploadImage } from './upload-image.ts';
import type { ImageTarget } from './upload-input.ts';

const PICTURE = /\.(avif|gif|jpe?g|png|webp)$/i;
/** Products of one statement. */
const BATCH_SIZE = 100;
/** Errors of one picture. After any other error, such as a full storage, no other picture could be added either. */
const PICTURE_ERRORS: readonly ErrorCode[] = [
  'ARGUMENT_VALIDATION_ERROR',
  'NOT_FOUND',
  'CONFLICT',
  'PAYLOAD_TOO_LARGE',
];

export type AddedPictures = {
  added: number;
  /** Products that had pictures already and keep them. */
  kept: number;
  failed: { file: string; reason: string }[];
  /** Files without a product of that handle that is not deleted. */
  withoutProduct: string[];
  /** Files that are not used, because another file is of the same product. */
  repeated: string[];
};

/**
 * Adds the pictures of a folder to the products whose handles are their names: `linen-tee.webp` to `linen-tee`. Products
 * that have pictures keep them, so it can be repeated. A picture that cannot be added is listed, and the others are added.
 */
export async function addPictures(
  ctx: Context & ImageDependencies,
  folder: string,
  signal?: AbortSignal,
): Promise<AddedPictures> {
  const names = await pictureFiles(folder);
  const handles = names.map(handleOf);
  const ids = await idsByHandle(ctx, handles);
  const files = Map.groupBy(names, (name) => ids.get(handleOf(name)) ?? '');
  const result: AddedPictures = { added: 0, kept: 0, failed: [], withoutProduct: files.get('') ?? [], repeated: [] };
  files.delete('');
  for (let from = 0; from < files.size; from += BATCH_SIZE) {
    const batch = new Map([...files].slice(from, from + BATCH_SIZE));
    const variants = await variantsOf(ctx, [...batch.keys()]);
    for (const [id, [file, ...others]] of batch) {
      if (signal?.aborted) return result;
      const ofProduct = variants.get(id);
      result.repeated.push(...others);
      if (!ofProduct) result.withoutProduct.push(file!);
      else if (ofProduct.some(({ images }) => images?.length)) result.kept += 1;
      else {
        const reason = await addPicture(ctx, join(folder, file!), ofProduct);
        if (reason === null) result.added += 1;
        else result.failed.push({ file: file!, reason });
      }
    }
  }
  return result;
}

/** The name without its extension, in the Unicode form of slugs: some file systems have another one. */
function handleOf(file: string): string {
  return parse(file).name.normalize('NFC');
}

/** A handle is a slug, else a source id. Those of deleted products do not count. */
async function idsByHandle(ctx: Context, handles: readonly string[]): Promise<Map<string, string>> {
  const found = [...(await idsBySourceId(ctx, handles)), ...(await idsBySlug(ctx, handles))];
  const ids = idArray([...new Set(found.map(([, id]) => id))]);
  const rows = await ctx.db
    .select({ id: product.id })
    .from(product)
    .where(and(ownedBy(ctx, product), not(product.deleted), sql`${product.id} = any(${ids})`));
  const live = new Set(rows.map(({ id }) => id));
  return new Map(found.filter(([, id]) => live.has(id)));
}

/** Returns the reason if the picture cannot be added. */
async function addPicture(
  ctx: Context & ImageDependencies,
  path: string,
  variants: readonly Pick<Variant, 'id'>[],
): Promise<string | null> {
  if (variants.length === 0) return 'its product has no variant';
  const ids = variants.map(({ id }) => id);
  const target = { kind: 'variant', ids, idsPath: [], order: 0, isMain: true } satisfies ImageTarget;
  try {
    // A larger file is refused without reading it.
    if ((await stat(path)).size > MAX_IMAGE_BYTES) return `has more than ${MAX_IMAGE_BYTES} bytes`;
    await uploadImage(ctx, { target, source: { kind: 'file', path: [] }, file: await readFile(path) });
    return null;
  } catch (error) {
    if (error instanceof CommerceError && PICTURE_ERRORS.includes(error.code)) return refusal(error);
    if (isFileError(error, path)) return `cannot be read: ${error.message}`;
    throw error;
  }
}

function refusal({ message, extensions }: CommerceError): string {
  const issues = (extensions['issues'] ?? []) as Issue[];
  return issues.length > 0 ? issues.map((issue) => issue.message).join('; ') : message;
}

/** An error about this file, and not about one of the storage. */
function isFileError(error: unknown, path: string): error is Error {
  return error instanceof Error && 'path' in error && error.path === path;
}

/**
 * The names of the pictures in order, so that of `tee.jpg` and `tee.png` the first one counts. What is no file, such as a
 * folder or a pipe, is left out: reading it would fail, or never end.
 */
async function pictureFiles(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => PICTURE.test(name)).toSorted();
  const found = await Promise.all(names.map(async (name) => await stat(join(folder, name)).catch(() => null)));
  return names.filter((_, index) => found[index]?.isFile());
}

/** The variants of the products, without deleted products. */
async function variantsOf(ctx: Context, ids: string[]): Promise<Map<string, Pick<Variant, 'id' | 'images'>[]>> {
  const { data } = await listProduct(
    ctx,
    { id: { in: ids }, pagination: { limit: BATCH_SIZE } },
    { data: { id: {}, variants: { id: {}, images: { order: {} } } } },
  );
  return new Map(data.map(({ id, variants }) => [id, variants]));
}
