import type { StoredVariantValue } from '../../../drizzle/product-values.ts';
import { findOrCreateBrands } from '../../brand/find-or-create-brands.ts';
import type { Context } from '../../context.ts';
import { findOrCreateTags } from '../../tag/find-or-create-tags.ts';
import { findOrCreateVariantTypes, type VariantTypeIds } from '../../variant-type/find-or-create-variant-types.ts';
import type { BulkProductInput, BulkVariantInput } from './bulk-products-input.ts';
import { type ProductInCategories, resolveCategories } from './resolve-categories.ts';

/** The ids of the records that a bulk request refers to by name. */
export type ResolvedNames = {
  brands: Map<string, string>;
  /** The ids of the categories of each product. */
  categoryIds: ReadonlyMap<BulkProductInput, string[]>;
  tags: Map<string, string>;
  variantTypes: Map<string, VariantTypeIds>;
};

/**
 * Finds the records that the products refer to by name, and creates the missing ones. The number of statements is
 * fixed.
 */
export async function resolveNames(ctx: Context, entries: readonly ProductInCategories[]): Promise<ResolvedNames> {
  const products = entries.map(({ product }) => product);
  const types = products.flatMap(({ productVariantTypes, variants, groupVariantsByVariantTypeName: grouping }) => [
    ...(grouping == null ? [] : [{ name: grouping, values: [] }]),
    ...productVariantTypes.map(({ variantTypeName, variantValues }) => ({
      name: variantTypeName,
      values: variantValues,
    })),
    ...variants.flatMap(({ variantValues }) =>
      (variantValues ?? []).map(({ variantTypeName, variantValueName }) => ({
        name: variantTypeName,
        values: [{ name: variantValueName }],
      })),
    ),
  ]);
  return {
    brands: await findOrCreateBrands(
      ctx,
      products.flatMap(({ brand }) => brand ?? []),
    ),
    tags: await findOrCreateTags(
      ctx,
      products.flatMap(({ tags }) => (tags ?? []).map(({ name }) => name)),
    ),
    variantTypes: await findOrCreateVariantTypes(ctx, types),
    categoryIds: await resolveCategories(ctx, entries),
  };
}

/** Variant types and values by their ids instead of their names. */
export function variantValueIds(
  values: BulkVariantInput['variantValues'],
  names: ResolvedNames,
): StoredVariantValue[] | undefined {
  return values?.map(({ variantTypeName, variantValueName }) => {
    const type = names.variantTypes.get(variantTypeName)!;
    return { variantTypeId: type.id, variantValueId: type.values.get(variantValueName)! };
  });
}
