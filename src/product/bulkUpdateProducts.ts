import { isDeepStrictEqual } from 'node:util';
import { bulkOperation } from '../../drizzle/bulk-operation.ts';
import { productStockLocation } from '../../drizzle/product-stock-location.ts';
import { stockLocation } from '../../drizzle/stock.ts';
import type { Context } from '../context.ts';
import { newId } from '../db/sql/id.ts';
import { referenceCheck } from '../db/write/reference-check.ts';
import { type PipelineStep, pipeline } from '../db/write/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { insert, upsert } from '../db/write/write.ts';
import { argumentInvalid, notFound } from '../errors.ts';
import { parseInput } from '../field-input.ts';
import type { MutationBulkUpdateProductsArgs } from '../graphql/generated/types.ts';
import { prepareMetaData } from '../page-metadata/save-page-metadata.ts';
import { analyzeProductsAfterGrowth } from './bulk/analyze-products.ts';
import { type BulkProductInput, bulkProductsInput, type BulkVariantInput } from './bulk/bulk-products-input.ts';
import { saveBulkImages, withBulkImages } from './bulk/bulk-images.ts';
import { resolveProduct } from './bulk/resolve-product.ts';
import { storedList } from './save/stored-list.ts';
import { mergeProduct } from './save/merge-product.ts';
import { type ResolvedNames, resolveNames } from './bulk/resolve-names.ts';
import { idsBySourceId } from './portable/portable-products.ts';
import type { ProductInput } from './save/product-input.ts';
import { productReferenceChecks } from './save/product-references.ts';
import { type StoredProduct, readProductsForUpdate } from './save/stored-products.ts';
import { type ProductWrite, writeProducts, type VariantWrite } from './save/write-products.ts';

type Path = (string | number)[];

/** One entry of the request and what it comes to. */
export type BulkEntry = {
  product: BulkProductInput;
  path: Path;
  stored: StoredProduct | undefined;
  input: ProductInput;
  write: ProductWrite;
};

/** The whole request in a number of statements that does not grow with the products. Answers the id of the recorded operation. */
export async function bulkUpdateProducts(ctx: Context, args: MutationBulkUpdateProductsArgs): Promise<string> {
  const products = parseInput(bulkProductsInput, args.input);
  const { id, created } = await inTransaction(ctx, async (ctx) => {
    const ids = await productIds(ctx, products);
    const stored = await readProductsForUpdate(
      ctx,
      ids.filter((id) => id !== undefined),
    );
    refuseUnknown(ids, stored);
    const parts = await resolveNames(ctx, products);
    const entries = products.flatMap((product, index) =>
      entry(product, ['input', index], stored.get(ids[index] ?? ''), parts),
    );
    const metaData = await prepareMetaData(ctx, 'PRODUCT', entries.map(metaDataTarget));
    await pipeline(ctx, [
      ...productReferenceChecks(ctx, entries),
      ...stockLocationCheck(ctx, entries),
      ...writeProducts(
        ctx,
        entries.map(({ write }) => write),
        metaData.steps,
      ),
      ...stockWrites(ctx, entries),
    ]);
    await metaData.place();
    return {
      id: await record(ctx, products.length, entries, parts),
      created: entries.filter(({ stored }) => !stored).length,
    };
  });
  await analyzeProductsAfterGrowth(ctx, created);
  return id;
}

/** The id of the stored product that each entry means, by its id or else its sourceId. */
async function productIds(ctx: Context, products: BulkProductInput[]): Promise<(string | undefined)[]> {
  const sourceIds = products.flatMap(({ id, sourceId }) => (id === undefined && sourceId != null ? [sourceId] : []));
  const bySource = await idsBySourceId(ctx, sourceIds);
  const ids = products.map(({ id, sourceId }) => id ?? (sourceId == null ? undefined : bySource.get(sourceId)));
  const firsts = new Map(ids.map((id, index) => [id, index] as const).reverse());
  const second = ids.findIndex((id, index) => id !== undefined && firsts.get(id)! < index);
  if (second >= 0)
    throw argumentInvalid([
      { path: ['input', second, 'id'], message: 'must not be a product that another entry names too' },
    ]);
  return ids;
}

function refuseUnknown(ids: (string | undefined)[], stored: Map<string, StoredProduct>): void {
  const isUnknown = (id: string | undefined) => id !== undefined && !stored.has(id);
  const unknown = ids.filter(isUnknown) as string[];
  if (unknown.length > 0) throw notFound('Product', unknown, ['input', ids.findIndex(isUnknown), 'id']);
}

/** A product that is to be deleted and does not exist is no entry at all. */
function entry(
  product: BulkProductInput,
  path: Path,
  stored: StoredProduct | undefined,
  parts: ResolvedNames,
): BulkEntry[] {
  if (product.deleted && !stored) return [];
  const input = resolveProduct(product, stored, parts);
  refuseSameVariant(input, path);
  const write = mergeProduct(input, stored, path);
  if (product.sourceId !== undefined) write.row.sourceId = product.sourceId;
  product.variants.forEach(({ sourceId, images }, index) => {
    keepSourceId(write.variants[index]!, sourceId);
    if (images !== undefined) keepImages(write.variants[index]!, images ?? []);
  });
  return [{ product, path, stored, input, write }];
}

function keepSourceId(variant: VariantWrite, sourceId: string | null | undefined): void {
  if (sourceId === undefined || sourceId === (variant.row.sourceId ?? null)) return;
  variant.row = { ...variant.row, sourceId };
  variant.isUnchanged = false;
}

function keepImages(variant: VariantWrite, wanted: NonNullable<BulkVariantInput['images']>): void {
  const images = storedList(withBulkImages(variant.row.images ?? [], wanted), (image) => image) ?? null;
  if (isDeepStrictEqual(images, variant.row.images)) return;
  variant.row = { ...variant.row, images };
  variant.isUnchanged = false;
}

function refuseSameVariant({ variants }: ProductInput, path: Path): void {
  const seen = new Set<string>();
  for (const [index, { id }] of variants.entries()) {
    if (id !== undefined && seen.has(id))
      throw argumentInvalid([
        { path: [...path, 'variants', index], message: 'must not be a variant that another entry names too' },
      ]);
    if (id !== undefined) seen.add(id);
  }
}

function metaDataTarget({ product: { metaData }, stored, write }: BulkEntry) {
  const target = { targetId: write.row.id, name: write.row.name, isNew: !stored };
  if (!metaData) return target;
  const { slug, ...members } = metaData;
  return { ...target, metaData: { ...members, slug: slug ?? undefined } };
}

function stockLocationCheck(ctx: Context, entries: BulkEntry[]): PipelineStep[] {
  const ids = entries.flatMap(({ product, path }) =>
    product.variants.flatMap(({ stocks }, variant) =>
      (stocks ?? []).map(({ stockLocationId }, index) => ({
        id: stockLocationId,
        path: [...path, 'variants', variant, 'stocks', index, 'stockLocationId'],
      })),
    ),
  );
  return referenceCheck(ctx, [{ table: stockLocation, type: 'StockLocation', ids }]);
}

function stockWrites(ctx: Context, entries: BulkEntry[]): PipelineStep[] {
  const rows = entries.flatMap(({ product, write }) =>
    product.variants.flatMap(({ stocks }, index) =>
      (stocks ?? []).map(({ stockLocationId, stockCount }) => ({
        productId: write.row.id,
        variantId: write.variants[index]!.row.id,
        stockLocationId,
        stockCount,
        deleted: false,
      })),
    ),
  );
  return upsert(ctx, productStockLocation, ['productId', 'variantId', 'stockLocationId'], rows);
}

async function record(ctx: Context, total: number, entries: BulkEntry[], parts: ResolvedNames): Promise<string> {
  const id = newId();
  const count = (isCounted: (entry: BulkEntry) => boolean) => entries.filter(isCounted).length;
  const row = {
    id,
    total,
    created: count(({ stored }) => !stored),
    updated: count(({ stored, product }) => stored !== undefined && !product.deleted),
    deleted: count(({ product }) => product.deleted),
  };
  await pipeline(ctx, insert(ctx, bulkOperation, [row]));
  await saveBulkImages(ctx, id, entries, parts);
  return id;
}
