import { type SQL, sql } from 'drizzle-orm';
import { type product, variant } from '../../../drizzle/product.ts';
import type { StringFilter } from '../../db/filter/filter.ts';
import { unwantedValues } from '../../db/filter/list-filter.ts';
import { aliased, type SqlScope } from '../../db/read/projection.ts';
import { exists } from '../../db/read/relations.ts';
import { ownedBy } from '../../db/sql/parameter.ts';

export type ProductRow = typeof product;
export type VariantRow = typeof variant;
export type Filter = StringFilter | null | undefined;

/** A filter on rows that belong to the product: at least one row matches, and no row has an excluded value. */
export function rowFilter(filter: Filter, hasRow: (wanted: StringFilter) => SQL): SQL[] {
  const { ne: _ne, nin: _nin, isNull: _isNull, ...wanted } = filter ?? {};
  const unwanted = unwantedValues(filter);
  return [
    ...(Object.values(wanted).some((value) => value != null) ? [hasRow(wanted)] : []),
    ...(unwanted ? [sql`not ${hasRow({ in: unwanted })}`] : []),
  ];
}

/**
 * The condition of `isNull`: false asks for products with a value in any variant; true for those with a variant, but
 * none with a value. `hasNone` follows from it and lets Postgres begin with the variants that have no value, which an
 * index finds, instead of looking at the variants of each product.
 */
export function valueCondition(filter: Filter, hasValue: SQL, hasNone: SQL): SQL[] {
  if (typeof filter?.isNull !== 'boolean') return [];
  return filter.isNull ? [hasNone, sql`not ${hasValue}`] : [hasValue];
}

/** Whether the product has such a variant that is not deleted. */
export function hasVariant(row: ProductRow, scope: SqlScope, where: (variant: VariantRow) => SQL[]): SQL {
  return exists(scope, variant, (variant) => [
    sql`${variant.productId} = ${row.id}`,
    sql`not ${variant.deleted}`,
    ...where(variant),
  ]);
}

/**
 * Like `hasVariant`, for conditions that few variants meet: these variants are read first. For nearly unique values
 * such as barcodes Postgres expects one row in two hundred to match and would scan from the newest product: 500 ms in
 * 100,000 products. Unnested, the ids are looked up one by one, so that the time stays linear if a shop gives all its
 * variants one barcode.
 */
export function hasRareVariant(row: ProductRow, scope: SqlScope, where: (variant: VariantRow) => SQL[]): SQL {
  return sql`${row.id} in (select unnest(${productIdsOf(scope, where)}))`;
}

/**
 * Like `hasRareVariant`, as part of an `or`, in which an index serves no sub-select. Each product is compared with all
 * ids: the caller bounds their number.
 */
export function isAmongVariants(row: ProductRow, scope: SqlScope, where: (variant: VariantRow) => SQL[]): SQL {
  return sql`${row.id} = any(${productIdsOf(scope, where)})`;
}

function productIdsOf(scope: SqlScope, where: (variant: VariantRow) => SQL[]): SQL {
  const { row, from } = aliased(scope, variant);
  const conditions = [ownedBy(scope.tenant, row), sql`not ${row.deleted}`, ...where(row)];
  return sql`array(select ${row.productId} from ${from} where ${sql.join(conditions, sql` and `)})`;
}
