import { withoutUndefined } from '../../field-input.ts';
import type { BulkProductInput, BulkVariantInput } from './bulk-products-input.ts';
import { categoryId, type ResolvedNames } from './resolve-names.ts';
import type { ProductInput, VariantInput } from '../save/product-input.ts';
import type { StoredProduct, VariantRow } from '../save/stored-products.ts';

/** A product of a bulk request as saveProduct would take it: names turned into ids, variants found by their keys. */
export function resolveProduct(
  product: BulkProductInput,
  stored: StoredProduct | undefined,
  parts: ResolvedNames,
): ProductInput {
  const {
    id: _id,
    sourceId: _source,
    brand,
    categories,
    tags,
    productVariantTypes,
    variants,
    vendor,
    metaData: _metaData,
    ...members
  } = product;
  return {
    ...members,
    id: stored?.row.id,
    ...withoutUndefined({ brandId: brand && parts.brands.get(brand.name), vendorId: vendor }),
    ...(brand === null ? { brandId: null } : {}),
    categoryIds: categories.map(({ name }) => categoryId(parts, name)),
    tagIds: tags === undefined ? undefined : (tags ?? []).map(({ name }) => parts.tags.get(name)!),
    productVariantTypes: productVariantTypes.map(({ order, variantTypeName, variantValues }) => {
      const type = parts.variantTypes.get(variantTypeName)!;
      return {
        order,
        variantTypeId: type.id,
        variantValueIds: variantValues.map(({ name }) => type.values.get(name)!),
      };
    }),
    variants: storedVariants(variants, stored).map((row, index) => asVariantInput(variants[index]!, row, parts)),
  };
}

/**
 * The stored variant that each input means: the one with its id, else with its sourceId, else the only
 * one with its sku that no other input means.
 */
function storedVariants(inputs: BulkVariantInput[], stored: StoredProduct | undefined): (VariantRow | undefined)[] {
  const rows = [...(stored?.variants.values() ?? [])];
  const found = inputs.map(({ id, sourceId }) =>
    rows.find((row) => (id === undefined ? sourceId != null && row.sourceId === sourceId : row.id === id)),
  );
  const meant = new Set(found);
  return inputs.map(({ id, sku }, index) => {
    if (found[index] || id !== undefined || sku == null) return found[index];
    const alike = rows.filter((row) => row.sku === sku && !row.deleted && !meant.has(row));
    return alike.length === 1 && inputs.filter((input) => input.sku === sku).length === 1 ? alike[0] : undefined;
  });
}

function asVariantInput(variant: BulkVariantInput, stored: VariantRow | undefined, parts: ResolvedNames): VariantInput {
  const { id, sourceId: _source, images: _images, stocks: _stocks, variantValues, prices, ...members } = variant;
  return {
    ...members,
    id: stored?.id ?? id,
    prices: prices.map(({ currencyCode, ...price }) => ({ ...price, currency: currencyCode })),
    ...withoutUndefined({ variantValueIds: variantValues && variantValueIds(variantValues, parts) }),
    ...(variantValues === null ? { variantValueIds: null } : {}),
  };
}

function variantValueIds(values: NonNullable<BulkVariantInput['variantValues']>, parts: ResolvedNames) {
  return values.map(({ variantTypeName, variantValueName }) => {
    const type = parts.variantTypes.get(variantTypeName)!;
    return { variantTypeId: type.id, variantValueId: type.values.get(variantValueName)! };
  });
}
