import { type ProductRow, type StoredProduct, type VariantRow } from '../stored/stored-products.ts';

/** The ids of all records that the stored products refer to. */
export function storedReferenceIds(products: readonly StoredProduct[]): Set<string> {
  const ids = products.flatMap(({ row, variants }) => [
    ...ofProduct(row),
    ...[...variants.values()].flatMap(ofVariant),
  ]);
  return new Set(ids.filter((id) => id !== null));
}

function ofProduct(row: ProductRow): (string | null)[] {
  return [
    row.brandId,
    row.groupVariantsByVariantTypeId,
    ...row.categoryIds,
    ...row.tagIds,
    ...row.dynamicPriceListIds,
    ...row.salesChannelIds,
    ...row.hiddenSalesChannelIds,
    ...(row.salesChannels ?? []).map(({ id }) => id),
    ...(row.productVariantTypes ?? []).flatMap(({ variantTypeId, variantValueIds }) => [
      variantTypeId,
      ...variantValueIds,
    ]),
    ...ofAttributes(row.attributes),
  ];
}

function ofVariant({ prices, variantValueIds, attributes, bundleSettings }: VariantRow): (string | null)[] {
  return [
    ...(prices ?? []).map(({ priceListId }) => priceListId),
    ...(variantValueIds ?? []).flatMap(({ variantTypeId, variantValueId }) => [variantTypeId, variantValueId]),
    ...ofAttributes(attributes),
    ...(bundleSettings?.products ?? []).map(({ productId }) => productId),
  ];
}

function ofAttributes(attributes: ProductRow['attributes']): (string | null)[] {
  return (attributes ?? []).flatMap(({ productAttributeId, productAttributeOptionId }) => [
    productAttributeId,
    productAttributeOptionId,
  ]);
}
