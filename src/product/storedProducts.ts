import { and, type InferSelectModel, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import { productPrice } from '../../drizzle/product-price.ts';
import {
  bundleProduct, productAttributeValue, productCategory, productDynamicPriceList, productSalesChannel,
  productTagRelation, productVariantType, productVariantValue, variantValueRelation,
} from '../../drizzle/product-relation.ts';
import { product, variant } from '../../drizzle/product.ts';
import type { Context } from '../context.ts';
import { idList } from '../db/parameter.ts';
import type { TenantTable } from '../db/shape.ts';
import { of } from '../db/tenant.ts';

export type ProductRow = InferSelectModel<typeof product>;
export type VariantRow = InferSelectModel<typeof variant>;
export type PriceRow = InferSelectModel<typeof productPrice>;
export type SalesChannelRow = InferSelectModel<typeof productSalesChannel>;

/** What a save has to know of a product that exists: to keep what is left out, and what it refers to already. */
export type StoredProduct = {
  row: ProductRow;
  variants: Map<string, VariantRow>;
  /** By variant. */
  prices: Map<string, PriceRow[]>;
  salesChannels: SalesChannelRow[];
  references: Set<string>;
};

/** The products, held until the transaction ends so that two saves of one happen one after the other. Unknown ids are left out. */
export async function storedProducts(ctx: Context, ids: readonly string[]): Promise<Map<string, StoredProduct>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .select()
    .from(product)
    .where(and(of(ctx, product), sql`${product.id} = any(${idList(ids)})`))
    .orderBy(product.id)
    .for('update');
  const found = rows.map(({ id }) => id);
  const [variants, prices, salesChannels, references] = await Promise.all([
    ofProducts(ctx, variant, found),
    ofProducts(ctx, productPrice, found),
    ofProducts(ctx, productSalesChannel, found),
    storedReferences(ctx, found),
  ]);
  const stored = new Map<string, StoredProduct>(
    rows.map((row) => [row.id, { row, variants: new Map(), prices: new Map(), salesChannels: [], references: new Set() }]),
  );
  for (const row of rows) addReferences(stored.get(row.id)!, [row.brandId, row.groupVariantsByVariantTypeId]);
  for (const row of variants) stored.get(row.productId)!.variants.set(row.id, row);
  for (const row of prices) {
    const { prices, references } = stored.get(row.productId)!;
    if (row.priceListId !== null) references.add(row.priceListId);
    const ofVariant = prices.get(row.variantId);
    if (ofVariant) ofVariant.push(row);
    else prices.set(row.variantId, [row]);
  }
  for (const row of salesChannels) {
    stored.get(row.productId)!.salesChannels.push(row);
    stored.get(row.productId)!.references.add(row.salesChannelId);
  }
  for (const { productId, id } of references) stored.get(productId)!.references.add(id);
  return stored;
}

async function ofProducts<Table extends TenantTable & { productId: AnyPgColumn }>(
  ctx: Context,
  table: Table,
  ids: string[],
): Promise<InferSelectModel<Table>[]> {
  const rows = await ctx.db
    .select()
    .from(table as PgTable)
    .where(and(of(ctx, table), sql`${table.productId} = any(${idList(ids)})`));
  return rows as InferSelectModel<Table>[];
}

/** Where a product keeps ids of other records, besides its own row, its prices and its channels. */
const referring = [
  [productCategory, productCategory.categoryId],
  [productTagRelation, productTagRelation.tagId],
  [productDynamicPriceList, productDynamicPriceList.priceListId],
  [productVariantType, productVariantType.variantTypeId],
  [productVariantValue, productVariantValue.variantValueId],
  [variantValueRelation, variantValueRelation.variantTypeId],
  [variantValueRelation, variantValueRelation.variantValueId],
  [productAttributeValue, productAttributeValue.productAttributeId],
  [productAttributeValue, productAttributeValue.productAttributeOptionId],
  [bundleProduct, bundleProduct.containedProductId],
] as const;

async function storedReferences(ctx: Context, ids: string[]): Promise<{ productId: string; id: string }[]> {
  const parts = referring.map(
    ([table, column]) => sql`
      select ${table.productId} as "productId", ${column} as "id" from ${table}
      where ${of(ctx, table)} and ${table.productId} = any(${idList(ids)}) and ${column} is not null`,
  );
  return await ctx.db.execute<{ productId: string; id: string }>(sql.join(parts, sql` union `));
}

function addReferences(stored: StoredProduct, ids: (string | null)[]): void {
  for (const id of ids) if (id !== null) stored.references.add(id);
}
