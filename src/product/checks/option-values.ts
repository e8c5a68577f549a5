import type { StoredVariantValue } from '../../../drizzle/product-values.ts';
import { type InputPath, invalidAt } from '../../errors.ts';
import type { MergedProduct } from '../merge/merge-product.ts';
import type { VariantWrite } from '../stored/write-product-rows.ts';

/** Identifies a combination of option values, in whatever order they are; empty without values. */
export function optionsKey(values: readonly StoredVariantValue[] | null | undefined): string {
  const keys = (values ?? []).map(({ variantTypeId, variantValueId }) => `${variantTypeId} ${variantValueId}`);
  return [...new Set(keys)].sort().join();
}

/**
 * Refuses a variant that takes the option values of another one that is not deleted. `path` is the list
 * of variants in the input, `member` the member with their option values. Variants without option values may
 * repeat, and so may stored ones that keep what they have.
 */
export function refuseRepeatedOptions(
  { sentVariants, variants }: MergedProduct,
  path: InputPath,
  member: string,
): void {
  const live = variants.filter(({ row }) => !row.deleted);
  const byOptions = Map.groupBy(live, ({ row }) => optionsKey(row.variantValueIds));
  for (const [options, [first, ...others]] of byOptions) {
    if (options === '' || others.length === 0 || [first!, ...others].every(isKept)) continue;
    const index = sentVariants.findLastIndex((write) => write && [first, ...others].includes(write));
    const message = 'must not be the option values of another variant of the product';
    throw invalidAt([...path, index, member], message);
  }
}

function isKept({ stored, row }: VariantWrite): boolean {
  return (
    stored !== undefined && !stored.deleted && optionsKey(stored.variantValueIds) === optionsKey(row.variantValueIds)
  );
}
