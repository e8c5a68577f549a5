import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { bulkOperationImage } from '../../../drizzle/bulk-operation.ts';
import { pageMetadata } from '../../../drizzle/page-metadata.ts';
import { productStockLocation } from '../../../drizzle/product-stock-location.ts';
import { product } from '../../../drizzle/product.ts';
import type { MerchantContext } from '../../context.ts';
import { pipeline } from '../../db/connection/pipeline.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import { byPosition } from '../../db/write/list-positions.ts';
import { type RowCondition, storedRows, type StoredRow } from '../../db/write/stored-rows.ts';
import { rowVersions } from '../../product/stored/read-products.ts';
import { readStoredProducts, type StoredProduct, type VariantRow } from '../../product/stored/stored-products.ts';
import { readNames, type RecordNames, valueNames } from './record-names.ts';

type Stock = Pick<StoredRow<typeof productStockLocation>, 'stockLocationId' | 'stockCount'>;
type RequestedImage = StoredRow<typeof bulkOperationImage>;

/** A stored product with the records that it and others refer to. Deleted variants are left out. */
export type PortableProduct = {
  stored: StoredProduct;
  names: RecordNames;
  /** To tell whether the rows have been changed since they were read. */
  rowVersions: string;
  createdAt: number;
  updatedAt: number;
  /** When the last of its stock counts was changed or removed; null without stock counts. */
  stockUpdatedAt: number | null;
  metaData: StoredRow<typeof pageMetadata> | null;
  variants: PortableVariant[];
};

/** A stored variant, its option values by name, and its parts in other tables. */
export type PortableVariant = {
  id: string;
  sourceId: string | null;
  sku: string | null;
  variantValues: { typeName: string; name: string }[];
  row: VariantRow;
  stocks: Stock[];
  /** Images that the latest bulk request was to fetch, in any state. */
  requestedImages: RequestedImage[];
};

/** The products with these ids, in this order. Deleted products are included, unknown ids are left out. */
export async function readPortableProducts(ctx: MerchantContext, ids: readonly string[]): Promise<PortableProduct[]> {
  if (ids.length === 0) return [];
  // The versions are read first and the times last, so that a change meanwhile is never taken for an older one.
  const versions = await pipeline(ctx, [rowVersions(ctx, ids)]);
  const stored = await readStoredProducts(ctx, ids);
  const products = [...stored.values()];
  const [names, parts] = await Promise.all([readNames(ctx, products), readParts(ctx, products)]);
  const times = await readTimes(ctx, ids);
  return ids.flatMap((id) => {
    const [product, time] = [stored.get(id), times.get(id)];
    if (!product || !time) return [];
    return [{ ...portableProduct(product, names, parts), ...time, rowVersions: versions.get(id) ?? '' }];
  });
}

type Times = Pick<PortableProduct, 'createdAt' | 'updatedAt' | 'stockUpdatedAt'>;

async function readTimes(ctx: MerchantContext, ids: readonly string[]): Promise<Map<string, Times>> {
  const stock = alias(productStockLocation, 'stock');
  const rows = await readRows(
    ctx,
    {
      id: column.text,
      createdAt: column.number,
      updatedAt: column.number,
      stockUpdatedAt: column.nullable(column.number),
    },
    sql`
    select ${product.id} as "id", (extract(epoch from ${product.createdAt}) * 1000)::float8 as "createdAt",
      (extract(epoch from ${product.updatedAt}) * 1000)::float8 as "updatedAt", (
      select (extract(epoch from max(${stock.updatedAt})) * 1000)::float8 from ${productStockLocation} as stock
      where ${ownedBy(ctx, stock)} and ${stock.productId} = ${product.id}
    ) as "stockUpdatedAt"
    from ${product} where ${ownedBy(ctx, product)} and ${product.id} = any(${idArray(ids)})`,
  );
  return new Map(rows.map(({ id, ...times }) => [id, times]));
}

type Parts = {
  pages: Map<string, PortableProduct['metaData']>;
  /** By the ids of variants. */
  stocks: Map<string, Stock[]>;
  images: Map<string | null, RequestedImage[]>;
};

async function readParts(ctx: MerchantContext, products: readonly StoredProduct[]): Promise<Parts> {
  const ids = products.map(({ row }) => row.id);
  const variantIds = products.flatMap(({ variants }) => [...variants.keys()]);
  const parts: Parts = { pages: new Map(), stocks: new Map(), images: new Map() };
  const pages = storedRows(ctx, pageMetadata, { member: 'targetId', ids });
  const stocks = storedRows(ctx, productStockLocation, { member: 'productId', ids, only: notDeleted });
  const images = storedRows(ctx, bulkOperationImage, {
    member: 'variantId',
    ids: variantIds,
    only: ofLatestRequest(ctx),
  });
  await pipeline(ctx, [
    { ...pages, read: (rows) => (parts.pages = new Map(pages.read(rows).map((page) => [page.targetId, page]))) },
    { ...stocks, read: (rows) => (parts.stocks = Map.groupBy(stocks.read(rows), ({ variantId }) => variantId)) },
    { ...images, read: (rows) => (parts.images = Map.groupBy(images.read(rows), ({ variantId }) => variantId)) },
  ]);
  return parts;
}

const notDeleted: RowCondition = {
  name: 'not deleted',
  values: [],
  condition: () => sql`not ${productStockLocation.deleted}`,
};

/** A later request replaces earlier ones for the same variant. */
function ofLatestRequest(ctx: MerchantContext): RowCondition {
  const later = alias(bulkOperationImage, 'later');
  return {
    name: 'of the latest request',
    values: [ctx.merchantId],
    condition: () => sql`${bulkOperationImage.state} <> 'STORED' and not exists (
      select from ${bulkOperationImage} as later
      where ${ownedBy(ctx, later)} and ${later.variantId} = ${bulkOperationImage.variantId}
        and ${later.bulkOperationId} > ${bulkOperationImage.bulkOperationId})`,
  };
}

function portableProduct(
  stored: StoredProduct,
  names: RecordNames,
  { pages, stocks, images }: Parts,
): Omit<PortableProduct, keyof Times | 'rowVersions'> {
  const rows = [...stored.variants.values()].sort(byPosition);
  return {
    stored,
    names,
    metaData: pages.get(stored.row.id) ?? null,
    variants: rows.map((row) => ({
      id: row.id,
      sourceId: row.sourceId,
      sku: row.sku,
      variantValues: valueNames(row, names),
      row,
      stocks: stocks.get(row.id) ?? [],
      requestedImages: (images.get(row.id) ?? []).sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1)),
    })),
  };
}

/** Whether the variant has an option value that was removed from its type, and so has no name in a file. */
export function hasRemovedValue({ row, variantValues }: PortableVariant): boolean {
  return variantValues.length < (row.variantValueIds ?? []).length;
}

/** The handle that identifies the product in a file: its slug, or its id if it has no slug. */
export function handleOf({ metaData, stored }: Pick<PortableProduct, 'metaData' | 'stored'>): string {
  return metaData?.slug ?? stored.row.id;
}
