import { DELETED, type OnOmission } from '../line/omission.ts';
import type { PortableProduct } from '../stored/portable-product.ts';
import type { StoreIds } from '../line/store-ids.ts';

/** Names the references of a product that a file cannot have, because their records are deleted. */
export function omittedReferences(product: PortableProduct, { priceLists }: StoreIds, omit: OnOmission): void {
  const { brandId, brand, categoryIds, categories, tagIds, tags, variants } = product;
  if (brandId !== null && !brand) omit('brandId', DELETED);
  if (categories.length < categoryIds.length) omit('categoryIds', DELETED);
  if (tags.length < tagIds.length) omit('tagIds', DELETED);
  const listIds = variants.flatMap(({ prices }) => prices.flatMap(({ priceListId }) => priceListId ?? []));
  if (listIds.some((id) => !priceLists.get(id))) omit('variants.prices', DELETED);
  if (variants.some(({ variantValues }) => variantValues.some(({ typeName }) => typeName === null)))
    omit('variants.variantValueIds', DELETED);
}
