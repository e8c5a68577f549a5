import type { InputPath } from '../../errors.ts';
import type { ProductInput } from '../input/product-input.ts';
import type { StoredProduct } from '../stored/stored-products.ts';

type Found = { id: string; path: InputPath };

/** A product being saved: its input, the input's path in the arguments, and the stored product. */
export type ReferringProduct = { input: ProductInput; path: InputPath; stored: StoredProduct | undefined };

/** A value of a variant type or an option of an attribute: `part` must belong to `whole`. */
export type Part = { whole: string; part: Found };

/** The ids that all products of a request refer to, with their paths in the input. */
export type ReferencedIds = Record<
  'brand' | 'category' | 'tag' | 'priceList' | 'salesChannel' | 'variantType' | 'attribute' | 'product',
  Found[]
> & {
  values: Part[];
  options: Part[];
};

export function referencedIds(products: ReferringProduct[]): ReferencedIds {
  const found: ReferencedIds = {
    brand: [],
    category: [],
    tag: [],
    priceList: [],
    salesChannel: [],
    variantType: [],
    attribute: [],
    product: [],
    values: [],
    options: [],
  };
  for (const { input, path } of products) collectProduct(found, input, path);
  return found;
}

function collectProduct(found: ReferencedIds, input: ProductInput, path: InputPath): void {
  addOne(found.brand, input.brandId, path, 'brandId');
  addList(found.category, input.categoryIds, path, 'categoryIds');
  addList(found.tag, input.tagIds, path, 'tagIds');
  addList(found.priceList, input.dynamicPriceListIds, path, 'dynamicPriceListIds');
  addList(found.salesChannel, input.salesChannelIds, path, 'salesChannelIds');
  addList(found.salesChannel, input.hiddenSalesChannelIds, path, 'hiddenSalesChannelIds');
  input.salesChannels?.forEach(({ id }, index) =>
    found.salesChannel.push({ id, path: [...path, 'salesChannels', index, 'id'] }),
  );
  addOne(found.variantType, input.groupVariantsByVariantTypeId, path, 'groupVariantsByVariantTypeId');
  collectAttributes(found, input.attributes, path);
  input.productVariantTypes?.forEach(({ variantTypeId, variantValueIds }, index) => {
    const at = [...path, 'productVariantTypes', index];
    found.variantType.push({ id: variantTypeId, path: [...at, 'variantTypeId'] });
    variantValueIds.forEach((id, value) =>
      found.values.push({ whole: variantTypeId, part: { id, path: [...at, 'variantValueIds', value] } }),
    );
  });
  input.variants.forEach((variant, index) => collectVariant(found, variant, path, index));
}

function collectVariant(
  found: ReferencedIds,
  variant: ProductInput['variants'][number],
  path: InputPath,
  variantIndex: number,
): void {
  const at = (...members: InputPath): InputPath => [...path, 'variants', variantIndex, ...members];
  if (variant.attributes) collectAttributes(found, variant.attributes, at());
  variant.prices.forEach(({ priceListId }, index) => {
    if (priceListId != null) found.priceList.push({ id: priceListId, path: at('prices', index, 'priceListId') });
  });
  variant.variantValueIds?.forEach(({ variantTypeId, variantValueId }, index) => {
    found.variantType.push({ id: variantTypeId, path: at('variantValueIds', index, 'variantTypeId') });
    found.values.push({
      whole: variantTypeId,
      part: { id: variantValueId, path: at('variantValueIds', index, 'variantValueId') },
    });
  });
  variant.bundleSettings?.products.forEach(({ productId }, index) =>
    found.product.push({ id: productId, path: at('bundleSettings', 'products', index, 'productId') }),
  );
}

function collectAttributes(found: ReferencedIds, attributes: ProductInput['attributes'], path: InputPath): void {
  attributes?.forEach(({ productAttributeId, productAttributeOptionId }, index) => {
    const at = (member: string): InputPath => [...path, 'attributes', index, member];
    if (productAttributeId != null) found.attribute.push({ id: productAttributeId, path: at('productAttributeId') });
    if (productAttributeOptionId == null) return;
    found.options.push({
      whole: productAttributeId ?? '',
      part: { id: productAttributeOptionId, path: at('productAttributeOptionId') },
    });
  });
}

function addOne(found: Found[], id: string | null | undefined, path: InputPath, member: string): void {
  if (id != null) found.push({ id, path: [...path, member] });
}

function addList(found: Found[], ids: readonly string[] | null | undefined, path: InputPath, member: string): void {
  ids?.forEach((id, index) => found.push({ id, path: [...path, member, index] }));
}
