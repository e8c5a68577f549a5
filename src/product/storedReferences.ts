import { sql } from 'drizzle-orm';
import { productPrice } from '../../drizzle/product-price.ts';
import {
  bundleProduct, productAttributeValue, productCategory, productDynamicPriceList, productSalesChannel,
  productTagRelation, productVariantType, productVariantValue, variantValueRelation,
} from '../../drizzle/product-relation.ts';
import { product } from '../../drizzle/product.ts';
import type { Context } from '../context.ts';
import { idList } from '../db/parameter.ts';
import { of } from '../db/tenant.ts';

/** Where a product keeps ids of other records. */
const referring = [
  [product, product.id, product.brandId],
  [product, product.id, product.groupVariantsByVariantTypeId],
  [productPrice, productPrice.productId, productPrice.priceListId],
  [productSalesChannel, productSalesChannel.productId, productSalesChannel.salesChannelId],
  [productCategory, productCategory.productId, productCategory.categoryId],
  [productTagRelation, productTagRelation.productId, productTagRelation.tagId],
  [productDynamicPriceList, productDynamicPriceList.productId, productDynamicPriceList.priceListId],
  [productVariantType, productVariantType.productId, productVariantType.variantTypeId],
  [productVariantValue, productVariantValue.productId, productVariantValue.variantValueId],
  [variantValueRelation, variantValueRelation.productId, variantValueRelation.variantTypeId],
  [variantValueRelation, variantValueRelation.productId, variantValueRelation.variantValueId],
  [productAttributeValue, productAttributeValue.productId, productAttributeValue.productAttributeId],
  [productAttributeValue, productAttributeValue.productId, productAttributeValue.productAttributeOptionId],
  [bundleProduct, bundleProduct.productId, bundleProduct.containedProductId],
] as const;

/** The ids of all records that the products refer to. */
export async function storedReferences(ctx: Context, productIds: readonly string[]): Promise<Set<string>> {
  const parts = referring.map(
    ([table, productId, id]) => sql`
      select ${id} as "id" from ${table} where ${of(ctx, table)} and ${productId} = any(${idList(productIds)}) and ${id} is not null`,
  );
  const rows = await ctx.db.execute<{ id: string }>(sql.join(parts, sql` union `));
  return new Set(rows.map(({ id }) => id));
}
