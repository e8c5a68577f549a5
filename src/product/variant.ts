import { type SQL, sql } from 'drizzle-orm';
import { productStockLocation } from '../../drizzle/product-stock-location.ts';
import { variant } from '../../drizzle/product.ts';
import { stockLocation } from '../../drizzle/stock.ts';
import { decimalText, document, documents, text, withoutEvent } from '../db/read/fields.ts';
import { aliased, type JsonExpression, projection, type SqlScope } from '../db/read/projection.ts';
import { exists, hasMany } from '../db/read/relations.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import type {
  BundleSettingsModel,
  ProductAttributeValue,
  ProductImage,
  Variant,
  VariantValueRelation,
} from '../graphql/generated/types.ts';
import { heldCount } from '../stock/hold/held-count.ts';
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
  availableCount: (row, scope) => availableCount(row, scope),
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

function availableCount(row: typeof variant, scope: SqlScope): JsonExpression<number> {
  const { row: stock, from } = aliased(scope, productStockLocation);
  const isOpen = exists(scope, stockLocation, (location) => [
    sql`${location.id} = ${stock.stockLocationId}`,
    sql`not ${location.deleted}`,
  ]);
  const sum = sql`coalesce(sum(${stock.stockCount} - ${heldCount(stock, scope)}), 0)`;
  return withoutEvent({
    sql: sql`(select ${decimalText(sum)} from ${from} where ${ownedBy(scope.tenant, stock)}
      and ${sql.join(ofVariant(stock, row), sql` and `)} and ${isOpen})`,
  });
}

/** The product's id is in the condition because the index starts with it. */
function ofVariant(stock: (typeof productStockLocationProjection)['table'], owner: typeof variant): SQL[] {
  return [
    sql`${stock.productId} = ${owner.productId}`,
    sql`${stock.variantId} = ${owner.id}`,
    sql`not ${stock.deleted}`,
  ];
}
