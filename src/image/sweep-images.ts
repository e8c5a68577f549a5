import { and, gt, type SQL, sql } from 'drizzle-orm';
import { productAttributeOption } from '../../drizzle/attribute.ts';
import { productBrand } from '../../drizzle/brand.ts';
import { category } from '../../drizzle/category.ts';
import { image } from '../../drizzle/image.ts';
import { product, variant } from '../../drizzle/product.ts';
import { variantValue } from '../../drizzle/variant-type.ts';
import type { MerchantContext } from '../context.ts';
import { forEachMerchant } from '../db/across/for-each-merchant.ts';
import { allMerchants } from '../db/across/merchants-with-rows.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import { readIds } from '../db/connection/read-rows.ts';
import { NO_ID } from '../db/sql/id.ts';
import { idArray, ownedBy, textArray } from '../db/sql/parameter.ts';
import { claimStorage } from './storage-owner.ts';
import type { ImageStorage } from './storage.ts';

/** An image without references is removed after this time. */
const MAX_UNUSED_AGE_MS = 30 * 24 * 60 * 60 * 1_000;
/** An object is written before its row, so the row of a young object may still come. */
const MIN_OBJECT_AGE_MS = 24 * 60 * 60 * 1_000;
/** Small, so that row locks are held for a short time. */
const BATCH_SIZE = 500;
const IMAGE_KEY = /^([0-9a-f-]{36})\/([0-9a-f-]{36})\//;

type Sweeper = AcrossContext & { readonly storage: ImageStorage };
type SweepContext = Sweeper & { readonly merchantId: string };
export type SweepSettings = { unusedMaxAgeMs?: number; objectMinAgeMs?: number; signal?: AbortSignal };
export type Swept = { images: number; objects: number };

/**
 * Removes images without references and objects without rows (left by failed uploads), for all merchants of this
 * database. Throws and removes nothing if the storage belongs to another database, which may have the same merchants.
 * Objects of unknown merchants stay.
 */
export async function sweepImages(sweeper: Sweeper, settings: SweepSettings = {}): Promise<Swept> {
  await claimStorage(sweeper, sweeper.storage);
  const swept = { images: 0, objects: 0 };
  const sweep = async (merchant: MerchantContext): Promise<void> => {
    const ctx = { ...sweeper, ...merchant };
    swept.images += await sweepRows(ctx, settings);
    swept.objects += await sweepObjects(ctx, settings);
  };
  await forEachMerchant(sweeper.db, await allMerchants(sweeper.across), sweep, settings.signal);
  return swept;
}

async function sweepRows(ctx: SweepContext, settings: SweepSettings): Promise<number> {
  let removed = 0;
  for (let after = NO_ID; ;) {
    const rows = await ctx.db
      .select({ id: image.id, unusedSince: image.unusedSince })
      .from(image)
      .where(and(ownedBy(ctx, image), gt(image.id, after)))
      .orderBy(image.id)
      .limit(BATCH_SIZE);
    const used = await usedAmong(
      ctx,
      rows.map(({ id }) => id),
    );
    await mark(
      ctx,
      rows.filter(({ id, unusedSince }) => unusedSince !== null && used.has(id)),
      sql`null`,
    );
    await mark(
      ctx,
      rows.filter(({ id, unusedSince }) => unusedSince === null && !used.has(id)),
      sql`now()`,
    );
    removed += await removeUnused(
      ctx,
      rows.filter(({ id }) => !used.has(id)),
      settings,
    );
    if (rows.length < BATCH_SIZE || settings.signal?.aborted) return removed;
    after = rows.at(-1)!.id;
  }
}

async function usedAmong(ctx: SweepContext, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  return new Set(await readIds(ctx, selectUsed(ctx, ids)));
}

/** Selects the ids that any record refers to, also deleted records, which may be restored. */
function selectUsed(ctx: SweepContext, ids: string[]): SQL {
  const list = textArray(ids);
  const columns = [
    [category, category.imageId],
    [productBrand, productBrand.imageId],
    [variantValue, variantValue.thumbnailImageId],
    [productAttributeOption, productAttributeOption.thumbnailImageId],
  ] as const;
  const single = columns.map(
    ([table, column]) =>
      sql`select ${column} as "id" from ${table} where ${ownedBy(ctx, table)} and ${column} = any(${list})`,
  );
  const lists = [
    [variant, variant.imageIds],
    [variant, variant.attributeImageIds],
    [product, product.attributeImageIds],
  ] as const;
  const listed = lists.map(
    ([table, texts]) => sql`
    select unnest(${texts}) as "id" from ${table} where ${ownedBy(ctx, table)} and ${texts} is not null
      and ${texts} && ${list}`,
  );
  return sql.join([...single, ...listed], sql` union `);
}

async function mark(ctx: SweepContext, rows: { id: string }[], since: SQL): Promise<void> {
  if (rows.length === 0) return;
  await ctx.db.execute(
    sql`update ${image} set unused_since = ${since} where ${ownedBy(ctx, image)}
      and ${image.id} = any(${idArray(rows.map(({ id }) => id))})`,
  );
}

/**
 * Deletes the row first, so that no row refers to a missing object. A concurrent upload of the same file has cleared
 * `unused_since`, so its row stays. The references are read again: a save may have named the image since. Objects that a
 * stop leaves are removed by a later sweep, as objects without rows.
 */
async function removeUnused(ctx: SweepContext, rows: { id: string }[], settings: SweepSettings): Promise<number> {
  if (rows.length === 0) return 0;
  const { unusedMaxAgeMs: maxAgeMs = MAX_UNUSED_AGE_MS, signal } = settings;
  const ids = rows.map(({ id }) => id);
  const removed = await readIds(
    ctx,
    sql`
    delete from ${image} where ${ownedBy(ctx, image)} and ${image.id} = any(${idArray(ids)})
      and ${image.unusedSince} <= now() - ${maxAgeMs} * interval '1 millisecond'
      and ${image.id}::text <> all(array(${selectUsed(ctx, ids)})) returning ${image.id}`,
  );
  for (const id of removed) {
    if (signal?.aborted) break;
    for await (const { key } of ctx.storage.list(`${ctx.merchantId}/${id}/`)) await ctx.storage.delete(key);
  }
  return removed.length;
}

async function sweepObjects(ctx: SweepContext, settings: SweepSettings): Promise<number> {
  const { objectMinAgeMs: minAgeMs = MIN_OBJECT_AGE_MS, signal } = settings;
  let removed = 0;
  let batch: { id: string; key: string }[] = [];
  const before = Date.now() - minAgeMs;
  for await (const { key, modifiedAt } of ctx.storage.list(`${ctx.merchantId}/`)) {
    if (signal?.aborted) return removed;
    const id = IMAGE_KEY.exec(key)?.[2];
    if (id && modifiedAt.getTime() <= before) batch.push({ id, key });
    if (batch.length === BATCH_SIZE) {
      removed += await removeOrphans(ctx, batch, signal);
      batch = [];
    }
  }
  return removed + (await removeOrphans(ctx, batch, signal));
}

async function removeOrphans(
  ctx: SweepContext,
  objects: { id: string; key: string }[],
  signal: AbortSignal | undefined,
): Promise<number> {
  if (objects.length === 0) return 0;
  const ids = idArray([...new Set(objects.map(({ id }) => id))]);
  const rows = await ctx.db
    .select({ id: image.id })
    .from(image)
    .where(and(ownedBy(ctx, image), sql`${image.id} = any(${ids})`));
  const known = new Set(rows.map(({ id }) => id));
  let removed = 0;
  for (const { id, key } of objects) {
    if (signal?.aborted) break;
    if (known.has(id)) continue;
    await ctx.storage.delete(key);
    removed += 1;
  }
  return removed;
}
