import type { OnlyColumns } from '../../db/write/saved-record.ts';
import type { BulkProductInput, BulkVariantInput } from './bulk-products-input.ts';
import { type ResolvedNames, variantValueIds } from './resolve-names.ts';
import type { ProductInput, VariantInput } from '../input/product-input.ts';
import type { StorablePrices } from '../merge/storable-prices.ts';
import type { StoredProduct, VariantRow } from '../stored/stored-products.ts';
import { withStoredMembers } from '../merge/merge-variant.ts';

/** The ids with which the names in the entries of a bulk request are replaced. */
export type Resolution = {
  merchantId: string;
  names: ResolvedNames;
  storablePrices: StorablePrices;
  automated: ReadonlySet<string>;
};

/**
 * The product as saveProduct takes it: names replaced by ids, variants matched with the stored ones (`matched`). Members
 * that an import leaves out get their stored values when they are merged.
 */
export function resolveProduct(
  product: BulkProductInput,
  stored: StoredProduct | undefined,
  matched: readonly (VariantRow | undefined)[],
  resolution: Resolution,
): ProductInput {
  const { names } = resolution;
  const {
    brand,
    categories: _categories,
    tags,
    productVariantTypes,
    variants,
    vendorId,
    vendor = vendorId,
    metaData: _metaData,
    categoryTexts: _texts,
    groupVariantsByVariantTypeName: grouping,
    ...members
  } = product;
  return {
    ...(members satisfies OnlyColumns<typeof members, ProductInput>),
    id: stored?.row.id,
    vendorId: vendor,
    brandId: brand && names.brands.get(brand.name)!,
    groupVariantsByVariantTypeId: grouping && names.variantTypes.get(grouping)!.id,
    categoryIds: names.categoryIds.get(product),
    tagIds: tags && tags.map(({ name }) => names.tags.get(name)!),
    productVariantTypes: productVariantTypes?.flatMap(({ order, variantTypeName, variantValues }) => {
      if (variantTypeName == null) return [];
      const type = names.variantTypes.get(variantTypeName)!;
      return {
        order,
        variantTypeId: type.id,
        variantValueIds: variantValues.map(({ name }) => type.values.get(name)!),
      };
    }),
    variants: variants.map((variant, index) => asVariantInput(variant, matched[index], resolution)),
  } as ProductInput;
}

/**
 * An entry with `deleted: true` changes nothing else of the variant. If `deleted` is left out, the stored value stays.
 */
function asVariantInput(
  variant: BulkVariantInput,
  stored: VariantRow | undefined,
  { names }: Resolution,
): VariantInput {
  const { id, images: _images, stocks: _stocks, variantValues, prices, deleted, ...members } = variant;
  if (deleted) return { id: stored?.id ?? id, isActive: stored?.isActive ?? true, prices: [], deleted };
  return {
    ...(members satisfies OnlyColumns<typeof members, VariantInput>),
    id: stored?.id ?? id,
    deleted: deleted ?? stored?.deleted,
    prices: keptPrices(prices, stored),
    variantValueIds: variantValues && variantValueIds(variantValues, names),
  } as VariantInput;
}

/** The prices with the stored values of the members that are left out. */
function keptPrices(prices: BulkVariantInput['prices'], stored: VariantRow | undefined): VariantInput['prices'] {
  const sent = prices.map(({ currencyCode, ...price }) => ({ ...price, currency: currencyCode }));
  return withStoredMembers(sent, stored?.prices);
}
