import { withoutUndefined } from '../../field-input.ts';
import type { BulkProductInput, BulkVariantInput } from './bulk-products-input.ts';
import { categoryId, type ResolvedNames } from './resolve-names.ts';
import type { ProductInput, VariantInput } from '../save/product-input.ts';
import type { StoredProduct, VariantRow } from '../save/stored-products.ts';

/** The product as saveProduct takes it: names replaced by ids, variants matched with the stored ones. */
export function resolveProduct(
  product: BulkProductInput,
  stored: StoredProduct | undefined,
  names: ResolvedNames,
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
    ...withoutUndefined({ brandId: brand && names.brands.get(brand.name), vendorId: vendor }),
    ...(brand === null ? { brandId: null } : {}),
    categoryIds: categories.map(({ name }) => categoryId(names, name)),
    tagIds: tags === undefined ? undefined : (tags ?? []).map(({ name }) => names.tags.get(name)!),
    productVariantTypes: productVariantTypes.map(({ order, variantTypeName, variantValues }) => {
      const type = names.variantTypes.get(variantTypeName)!;
      return {
        order,
        variantTypeId: type.id,
        variantValueIds: variantValues.map(({ name }) => type.values.get(name)!),
      };
    }),
    variants: storedVariants(variants, stored).map((row, index) => asVariantInput(variants[index]!, row, names)),
  };
}

/**
 * The stored variant that each input updates: the one with its id, else the one with its `sourceId`, else the only
 * variant with its sku that no other input updates.
 */
function storedVariants(inputs: BulkVariantInput[], stored: StoredProduct | undefined): (VariantRow | undefined)[] {
  const rows = [...(stored?.variants.values() ?? [])];
  const found = inputs.map(({ id, sourceId }) =>
    rows.find((row) => (id === undefined ? sourceId != null && row.sourceId === sourceId : row.id === id)),
  );
  const matched = new Set(found);
  return inputs.map(({ id, sku }, index) => {
    if (found[index] || id !== undefined || sku == null) return found[index];
    const sameSku = rows.filter((row) => row.sku === sku && !row.deleted && !matched.has(row));
    return sameSku.length === 1 && inputs.filter((input) => input.sku === sku).length === 1 ? sameSku[0] : undefined;
  });
}

function asVariantInput(variant: BulkVariantInput, stored: VariantRow | undefined, names: ResolvedNames): VariantInput {
  const { id, sourceId: _source, images: _images, stocks: _stocks, variantValues, prices, ...members } = variant;
  return {
    ...members,
    id: stored?.id ?? id,
    prices: prices.map(({ currencyCode, ...price }) => ({ ...price, currency: currencyCode })),
    ...withoutUndefined({ variantValueIds: variantValues && variantValueIds(variantValues, names) }),
    ...(variantValues === null ? { variantValueIds: null } : {}),
  };
}

function variantValueIds(values: NonNullable<BulkVariantInput['variantValues']>, names: ResolvedNames) {
  return values.map(({ variantTypeName, variantValueName }) => {
    const type = names.variantTypes.get(variantTypeName)!;
    return { variantTypeId: type.id, variantValueId: type.values.get(variantValueName)! };
  });
}
