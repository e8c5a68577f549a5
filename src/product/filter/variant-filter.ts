import { type SQL, sql } from 'drizzle-orm';
import { positiveConditions, type StringFilter } from '../../db/filter/filter.ts';
import { idTextArrayMatcher } from '../../db/filter/list-filter.ts';
import { matches, textArrayMatcher, textMatcher } from '../../db/filter/matcher.ts';
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
    where: (variant, wanted) => positiveConditions(idTextArrayMatcher(variant[column]), wanted),
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

/** The text is a part of the name, a sku or a barcode. */
export function textSearch(row: ProductRow, scope: SqlScope, text: string): SQL {
  const inVariant = hasVariant(row, scope, (variant) => [
    sql`(${textMatcher(variant.sku).like(text)} or ${textArrayMatcher(variant.barcodeList).like(text)})`,
  ]);
  return sql`(${matches(sql`${row.name}`, text)} or ${inVariant})`;
}
