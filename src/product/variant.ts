import { type SQL, sql } from 'drizzle-orm';
import { variant } from '../../drizzle/product.ts';
import { document, documents, text, withoutEvent } from '../db/read/fields.ts';
import { projection } from '../db/read/projection.ts';
import { hasMany } from '../db/read/relations.ts';
import type {
  BundleSettingsModel,
  ProductAttributeValue,
  ProductImage,
  Variant,
  VariantValueRelation,
} from '../graphql/generated/types.ts';
import { productStockLocationProjection } from '../stock/product-stock-location.ts';
import { savedPrices, shownPrices } from './prices/shown-prices.ts';

export const variantProjection = projection<Variant>()(variant, {
  sourceId: (row) => withoutEvent(text(row.sourceId)),
  prices: (row, scope) => savedPrices(row, scope),
  stocks: (row, scope) =>
    hasMany(scope, productStockLocationProjection, (stock) => ({
      where: ofVariant(stock, row),
      orderBy: [sql`${stock.id}`],
    })),
  images: (row, scope) => documents<ProductImage>(scope, row.images),
  attributes: (row, scope) => documents<ProductAttributeValue>(scope, row.attributes),
  variantValueIds: (row, scope) => documents<VariantValueRelation>(scope, row.variantValueIds),
  variantValues: (row, scope) => withoutEvent(documents<VariantValueRelation>(scope, row.variantValueIds)),
  bundleSettings: (row, scope) => ({
    ...document<BundleSettingsModel>(scope, row.bundleSettings),
    event: { kind: 'document', column: row.bundleSettings },
  }),
});

/** The same with computed prices. */
export const pricedVariantProjection: typeof variantProjection = {
  ...variantProjection,
  fields: { ...variantProjection.fields, prices: (row, scope) => shownPrices(row, scope) },
};

/** The product's id is in the condition because the index starts with it. */
function ofVariant(stock: (typeof productStockLocationProjection)['table'], owner: typeof variant): SQL[] {
  return [
    sql`${stock.productId} = ${owner.productId}`,
    sql`${stock.variantId} = ${owner.id}`,
    sql`not ${stock.deleted}`,
  ];
}
