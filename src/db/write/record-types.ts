import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { productAttribute, productAttributeOption } from '../../../drizzle/attribute.ts';
import { productBrand } from '../../../drizzle/brand.ts';
import { category } from '../../../drizzle/category.ts';
import { priceList } from '../../../drizzle/price-list.ts';
import { productStockLocation } from '../../../drizzle/product-stock-location.ts';
import { product, variant } from '../../../drizzle/product.ts';
import { salesChannel } from '../../../drizzle/sales-channel.ts';
import { stockLocation } from '../../../drizzle/stock.ts';
import { productTag } from '../../../drizzle/tag.ts';
import { variantType, variantValue } from '../../../drizzle/variant-type.ts';
import type { RecordTable } from '../read/projection.ts';
import { ownedBy, type Tenant } from '../sql/tenant.ts';

type DeletableTable = RecordTable & { deleted: AnyPgColumn };
/**
 * `whole`: the column with the record that a part belongs to, such as the variant type of a value. `wholeTable`: the table of
 * these records, if a part counts as deleted when its record is deleted.
 */
type TypeTable = { table: DeletableTable; whole?: AnyPgColumn; wholeTable?: DeletableTable };

/**
 * The tables of the types that references name with `@reference(to:)`. If several references of an input are wrong, the
 * first of these types is reported.
 */
export const recordTypes = {
  ProductBrand: { table: productBrand },
  Category: { table: category },
  ProductTag: { table: productTag },
  PriceList: { table: priceList },
  SalesChannel: { table: salesChannel },
  ProductVariantType: { table: variantType },
  VariantValue: { table: variantValue, whole: variantValue.variantTypeId, wholeTable: variantType },
  ProductAttribute: { table: productAttribute },
  ProductAttributeOption: {
    table: productAttributeOption,
    whole: productAttributeOption.attributeId,
    wholeTable: productAttribute,
  },
  Product: { table: product },
  Variant: { table: variant, whole: variant.productId },
  StockLocation: { table: stockLocation },
  ProductStockLocation: { table: productStockLocation },
} satisfies Record<string, TypeTable>;

export type RecordType = keyof typeof recordTypes;

export function recordTableOf(type: RecordType): TypeTable {
  return recordTypes[type];
}

/** Whether a row of the type counts as deleted. */
export function isDeleted(tenant: Tenant, type: RecordType): SQL {
  const { table, whole, wholeTable } = recordTableOf(type);
  if (!wholeTable) return sql`${table.deleted}`;
  return sql`(${table.deleted} or exists (
    select from ${wholeTable} where ${ownedBy(tenant, wholeTable)} and ${wholeTable.id} = ${whole} and ${wholeTable.deleted}))`;
}
