import { type SQL, sql } from 'drizzle-orm';
import {
  matches,
  nullCondition,
  positiveConditions,
  type StringFilter,
  textArrayMatcher,
  textMatcher,
} from '../../db/read/filter.ts';
import { hasElement, idTextArrayMatcher, splitFilter } from '../../db/read/list-filter.ts';
import type { SqlScope } from '../../db/read/projection.ts';
import {
  type Filter,
  hasRareVariant,
  hasVariant,
  type ProductRow,
  rowFilter,
  valueCondition,
  type VariantRow,
} from './row-filter.ts';

/** The conditions of a filter on one variant. `isRare`: an index finds the few variants that meet it. */
type VariantMatcher = {
  where: (variant: VariantRow, wanted: StringFilter) => SQL[];
  isMissing: (variant: VariantRow) => SQL;
  isRare?: (wanted: StringFilter) => boolean;
};

export const skus: VariantMatcher = {
  where: (variant, wanted) => positiveConditions(textMatcher(variant.sku), wanted),
  isMissing: (variant) => sql`${variant.sku} is null`,
};

/** No index finds a part of a barcode, so that search scans from the newest product. */
export const barcodes: VariantMatcher = {
  where: (variant, wanted) => positiveConditions(textArrayMatcher(variant.barcodeList), wanted),
  isMissing: (variant) => sql`${variant.barcodeList} = '{}'`,
  isRare: isExact,
};

export const sourceIds: VariantMatcher = {
  where: (variant, wanted) => positiveConditions(textMatcher(variant.sourceId), wanted),
  isMissing: (variant) => sql`${variant.sourceId} is null`,
  isRare: isExact,
};

/** Whether the filter compares whole values with `eq` or `in`. */
function isExact({ eq, in: anyOf }: StringFilter): boolean {
  return eq != null || anyOf != null;
}

export function idsIn(column: 'variantTypeIds' | 'bundleProductIds'): VariantMatcher {
  return {
    where: (variant, wanted) => [hasElement(idTextArrayMatcher(variant[column]), wanted)],
    isMissing: (variant) => idTextArrayMatcher(variant[column]).isEmpty,
  };
}

export function variantFilter(row: ProductRow, scope: SqlScope, filter: Filter, matcher: VariantMatcher): SQL[] {
  if (!filter) return [];
  const { where, isMissing, isRare } = matcher;
  const hasMatch = (wanted: StringFilter): SQL =>
    (isRare?.(wanted) ? hasRareVariant : hasVariant)(row, scope, (variant) => where(variant, wanted));
  const hasValue = hasVariant(row, scope, (variant) => [sql`not (${isMissing(variant)})`]);
  const hasNone = hasVariant(row, scope, (variant) => [isMissing(variant)]);
  return [...rowFilter(filter, hasMatch), ...valueCondition(filter, hasValue, hasNone)];
}

/** Matches the attributes of the product and of its variants. */
export function attributeFilter(row: ProductRow, scope: SqlScope, filter: Filter): SQL[] {
  if (!filter) return [];
  const matcher = (table: ProductRow | VariantRow) => idTextArrayMatcher(table.attributeIds);
  const inVariant = (wanted: StringFilter): SQL =>
    hasRareVariant(row, scope, (variant) => [hasElement(matcher(variant), wanted)]);
  // An anti join, as most variants can have an attribute.
  const inNoVariant = (ids: readonly string[]): SQL =>
    sql`not ${hasVariant(row, scope, (variant) => [matcher(variant).any(ids)])}`;
  const { wanted, unwanted } = splitFilter(filter);
  return [
    ...nullCondition(withoutAttributes(row, scope), filter),
    ...(wanted ? [sql`(${hasElement(matcher(row), wanted)} or ${inVariant(wanted)})`] : []),
    ...(unwanted ? [sql`(${matcher(row).any(unwanted)}) is not true`, inNoVariant(unwanted)] : []),
  ];
}

function withoutAttributes(row: ProductRow, scope: SqlScope): SQL {
  const inVariant = hasVariant(row, scope, (variant) => [sql`${variant.attributeIds} is not null`]);
  return sql`${row.attributeIds} is null and not ${inVariant}`;
}

/** The text is a part of the name, a sku or a barcode. */
export function textSearch(row: ProductRow, scope: SqlScope, text: string): SQL {
  const inVariant = hasVariant(row, scope, (variant) => [
    sql`(${textMatcher(variant.sku).like(text)} or ${textArrayMatcher(variant.barcodeList).like(text)})`,
  ]);
  return sql`(${matches(sql`${row.name}`, text)} or ${inVariant})`;
}
