import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { saveProductBrand } from '../../src/brand/saveProductBrand.ts';
import { saveCategory } from '../../src/category/saveCategory.ts';
import type { Context } from '../../src/context.ts';
import { openDecoder } from '../../src/image/decoder.ts';
import { openFolderStorage } from '../../src/image/folder-storage.ts';
import { monitorStorage } from '../../src/image/monitored-storage.ts';
import type { ImageDependencies } from '../../src/image/upload-image.ts';
import { openOutbound } from '../../src/outbound/outbound.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { saveProduct } from '../../src/product/saveProduct.ts';
import { silent } from './log.ts';

/**
 * The dependencies of image operations, with a folder of their own, which `close` removes. One decoder process for each
 * kind of picture is enough for tests of other things, and starts sooner than three.
 */
export async function openImageDependencies(): Promise<ImageDependencies & { folder: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-images-'));
  const storage = monitorStorage(openFolderStorage(folder), silent);
  const decoder = openDecoder(silent, { processes: 1 });
  const outbound = openOutbound({ allowHttp: true, allowPrivate: true });
  const close = async (): Promise<void> => {
    decoder.close();
    outbound.close();
    await rm(folder, { recursive: true });
  };
  return { storage, decoder, outbound, folder, close };
}

/** A product with this many variants. */
export async function variantsOf(ctx: Context, count = 1): Promise<{ productId: string; variantIds: string[] }> {
  const variants = Array.from({ length: count }, (_, index) => ({ sku: `sku-${index}`, prices: [{ sellPrice: 1 }] }));
  const saved = await saveProduct(
    ctx,
    { input: { name: 'Tee', type: 'PHYSICAL', variants } as never },
    { id: {}, variants: { id: {} } },
  );
  return { productId: saved.id, variantIds: saved.variants.map(({ id }) => id) };
}

export async function categoryOf(ctx: Context): Promise<string> {
  return (await saveCategory(ctx, { input: { name: 'Shirts' } }, { id: {} })).id;
}

export async function brandOf(ctx: Context, name = 'Acme'): Promise<string> {
  return (await saveProductBrand(ctx, { input: { name } }, { id: {} })).id;
}

/** The images of each variant, read as a client does. */
export async function imagesOf(ctx: Context, productId: string) {
  const fields = {
    version: {},
    updatedAt: {},
    variants: { id: {}, images: { imageId: {}, isMain: {}, order: {}, isVideo: {}, fileName: {} } },
  };
  const { data } = await listProduct(ctx, { id: { eq: productId } }, { data: fields });
  return data[0]!.variants.map(({ images }) => images!);
}

export async function imageRows({
  db,
  merchantId,
}: Context): Promise<{ id: string; width: number; height: number; sizeBytes: number }[]> {
  return await db.execute(
    sql`select id, width, height, size_bytes as "sizeBytes" from image where merchant_id = ${merchantId} order by id`,
  );
}

/** The storage keys of the merchant. */
export async function storedKeys({ storage }: ImageDependencies, { merchantId }: Context): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(`${merchantId}/`)) keys.push(key);
  return keys.sort();
}
