import { type SQL, sql } from 'drizzle-orm';
import { type product, variant } from '../../../drizzle/product.ts';
import type { StringFilter } from '../../db/read/filter.ts';
import { splitFilter } from '../../db/read/list-filter.ts';
import { aliased, type SqlScope } from '../../db/read/projection.ts';
import { exists } from '../../db/read/relations.ts';
import { ownedBy } from '../../db/sql/tenant.ts';

export type ProductRow = typeof product;
export type VariantRow = typeof variant;
export type Filter = StringFilter | null | undefined;

/** A filter on rows that belong to the product: at least one row matches, and no row has an excluded value. */
export function rowFilter(filter: Filter, hasRow: (wanted: StringFilter) => SQL): SQL[] {
  const { wanted, unwanted } = splitFilter(filter);
  return [...(wanted ? [hasRow(wanted)] : []), ...(unwanted ? [sql`not ${hasRow({ in: unwanted })}`] : [])];
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
 * 100,000 products.
 */
export function hasRareVariant(row: ProductRow, scope: SqlScope, where: (variant: VariantRow) => SQL[]): SQL {
  const { row: part, from } = aliased(scope, variant);
  const conditions = [ownedBy(scope.tenant, part), sql`not ${part.deleted}`, ...where(part)];
  return sql`${row.id} = any(array(select ${part.productId} from ${from} where ${sql.join(conditions, sql` and `)}))`;
}
