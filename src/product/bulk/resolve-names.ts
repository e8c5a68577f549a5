import type { StoredVariantValue } from '../../../drizzle/product-values.ts';
import { findOrCreateBrands } from '../../brand/find-or-create-brands.ts';
import type { Context } from '../../context.ts';
import { NO_ID } from '../../db/sql/id.ts';
import { findOrCreateTags } from '../../tag/find-or-create-tags.ts';
import {
  findOrCreateVariantTypes,
  type SoughtValue,
  type VariantTypeIds,
  type WantedVariantType,
} from '../../variant-type/find-or-create-variant-types.ts';
import type { BulkProductInput, BulkVariantInput } from './bulk-products-input.ts';
import { type ProductInCategories, resolveCategories } from './resolve-categories.ts';

/** The ids of the records that a bulk request refers to by name. */
export type ResolvedNames = {
  brands: Map<string, string>;
  /** The ids of the categories of each product that names some, or none. */
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
  const types = entries.flatMap(wantedTypes);
  return {
    brands: await findOrCreateBrands(
      ctx,
      products.flatMap(({ brand }) => brand ?? []),
    ),
    tags: await findOrCreateTags(
      ctx,
      products.flatMap(({ tags }) => (tags ?? []).map(({ name }) => name)),
    ),
    variantTypes: await findOrCreateVariantTypes(ctx, types, products.flatMap(valuesOfDeleted)),
    categoryIds: await resolveCategories(ctx, entries),
  };
}

function wantedTypes({ product, path }: ProductInCategories): WantedVariantType[] {
  const { productVariantTypes, variants, groupVariantsByVariantTypeName: grouping } = product;
  const ofProduct = (productVariantTypes ?? []).flatMap(({ variantTypeName: name, variantValues: values }, index) =>
    name == null ? [] : [{ name, values, path: [...path, 'productVariantTypes', index, 'variantValues'] }],
  );
  const ofVariants = variants.flatMap(({ variantValues, deleted }, index) => {
    const valuesPath = [...path, 'variants', index, 'variantValues'];
    return (deleted ? [] : (variantValues ?? [])).map(({ variantTypeName, variantValueName }) => ({
      name: variantTypeName,
      values: [{ name: variantValueName }],
      path: valuesPath,
    }));
  });
  const ofGrouping = grouping == null ? [] : [{ name: grouping, values: [], path }];
  return [...ofGrouping, ...ofProduct, ...ofVariants];
}

/** The option values that say which variants are to be deleted. */
function valuesOfDeleted({ variants }: BulkProductInput): SoughtValue[] {
  return variants.flatMap(({ variantValues, deleted }) => (deleted && variantValues) || []);
}

/** Variant types and values by their ids instead of their names. Those of a deleted variant may be unknown. */
export function variantValueIds(
  values: BulkVariantInput['variantValues'],
  names: ResolvedNames,
): StoredVariantValue[] | undefined {
  return values?.map(({ variantTypeName, variantValueName }) => {
    const type = names.variantTypes.get(variantTypeName);
    return { variantTypeId: type?.id ?? NO_ID, variantValueId: type?.values.get(variantValueName) ?? NO_ID };
  });
}
