import { readdir, readFile, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import type { Context } from '../context.ts';
import { listProduct } from '../product/listProduct.ts';
import { idsBySlug } from '../product/stored/product-keys.ts';
import { type ImageDependencies, uploadImage } from './upload-image.ts';
import type { ImageTarget } from './upload-input.ts';

const PICTURE = /\.(avif|gif|jpe?g|png|webp)$/i;
/** Products of one statement. */
const BATCH_SIZE = 100;

/**
 * Adds the pictures of a folder to the products whose slugs are their names: `linen-tee.webp` to `linen-tee`. Products
 * that have pictures keep them, so it can be repeated. Returns the number of pictures that were added.
 */
export async function addPictures(ctx: Context & ImageDependencies, folder: string): Promise<number> {
  const files = new Map((await pictureFiles(folder)).map((name) => [parse(name).name, name]));
  const ids = await idsBySlug(ctx, [...files.keys()]);
  const slugs = new Map([...ids].map(([slug, id]) => [id, slug]));
  let added = 0;
  for (let from = 0; from < slugs.size; from += BATCH_SIZE) {
    for (const { id, variantIds } of await withoutPictures(ctx, [...slugs.keys()].slice(from, from + BATCH_SIZE))) {
      const file = await readFile(join(folder, files.get(slugs.get(id)!)!));
      const target = {
        kind: 'variant' as const,
        ids: variantIds,
        idsPath: [],
        order: 0,
        isMain: true,
      } satisfies ImageTarget;
      await uploadImage(ctx, { target, source: { kind: 'file', path: [] }, file });
      added += 1;
    }
  }
  return added;
}

/**
 * The names of the pictures, in reverse order, so that of `tee.jpg` and `tee.png` the first one counts. What is no file,
 * such as a folder or a pipe, is left out: reading it would fail, or never end.
 */
async function pictureFiles(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => PICTURE.test(name)).toSorted();
  const found = await Promise.all(names.map(async (name) => await stat(join(folder, name)).catch(() => null)));
  return names.filter((_, index) => found[index]?.isFile()).toReversed();
}

async function withoutPictures(ctx: Context, ids: string[]): Promise<{ id: string; variantIds: string[] }[]> {
  const { data } = await listProduct(
    ctx,
    { id: { in: ids }, pagination: { limit: BATCH_SIZE } },
    { data: { id: {}, variants: { id: {}, images: { order: {} } } } },
  );
  return data
    .filter(({ variants }) => variants.every(({ images }) => !images?.length))
    .map(({ id, variants }) => ({ id, variantIds: variants.map((variant) => variant.id) }));
}
