import type { StoredAttributeValue, StoredBundle, StoredImage } from '../../../drizzle/product-values.ts';
import { newId } from '../../db/sql/id.ts';
import { argumentInvalid, type InputPath } from '../../errors.ts';
import { withoutUndefined } from '../../field-input.ts';
import type { ProductInput, VariantInput } from '../input/product-input.ts';
import { storedList } from './stored-list.ts';
import type { VariantRow } from '../stored/stored-products.ts';
import { sortedImages, withMainImage } from './variant-images.ts';
import { mergePrices } from './variant-prices.ts';
import type { VariantWrite } from '../stored/write-product-rows.ts';

/** The variant as it will be stored: members that were sent replace the stored ones. */
export function mergeVariant(input: VariantInput, stored: VariantRow | undefined, path: InputPath): VariantWrite {
  const { id: _id, images, variantValueIds, attributes, bundleSettings, barcodeList, deleted, ...members } = input;
  const prices = mergePrices(stored?.prices ?? [], input.prices);
  if (prices[0]?.priceListId !== null) {
    throw argumentInvalid([
      { path: [...path, 'prices'], message: 'must have one row without priceListId, the base price' },
    ]);
  }
  const row = {
    ...(stored ?? newVariant()),
    ...withoutUndefined({
      ...members,
      barcodeList: barcodeList === undefined ? undefined : (barcodeList ?? []),
      images: mergeImages(stored?.images ?? [], images),
      variantValues: variantValues(variantValueIds),
      attributes: storedList(attributes, attributeValue),
      bundle: bundleSettings === undefined ? undefined : bundle(bundleSettings),
    }),
    prices,
    deleted: deleted ?? false,
  } as VariantRow;
  return { stored, row: variantColumns(row) };
}

type Images = VariantInput['images'];

/** Exactly one image is the main one: the first in order if the input marks none. */
function mergeImages(stored: readonly StoredImage[], sent: Images): StoredImage[] | null | undefined {
  const sourceUrls = new Map(stored.map(({ imageId, sourceUrl }) => [imageId, sourceUrl]));
  const images = storedList(sent, ({ imageId, fileName = null, isMain, isVideo = null, order }) => ({
    imageId,
    fileName,
    isMain,
    isVideo,
    order,
    sourceUrl: sourceUrls.get(imageId) ?? null,
  }));
  return images && withMainImage(sortedImages(images));
}

function variantValues(values: VariantInput['variantValueIds']): VariantRow['variantValues'] | undefined {
  const distinct = values && [
    ...new Map(values.map((value) => [`${value.variantTypeId} ${value.variantValueId}`, value])).values(),
  ];
  return storedList(distinct, ({ variantTypeId, variantValueId }) => ({ variantTypeId, variantValueId }));
}

function bundle(settings: VariantInput['bundleSettings']): StoredBundle | null {
  if (!settings) return null;
  const { maxBundleQuantity = null, minBundleQuantity = null, products } = settings;
  return {
    maxBundleQuantity,
    minBundleQuantity,
    products: products.map(({ id, productId, quantity, order, filteredVariantIds, ...rest }) => {
      const { addToBundleBasePrice = null, discountRatio = null, minQuantity = null, maxQuantity = null } = rest;
      return {
        id,
        productId,
        quantity,
        order,
        filteredVariantIds,
        addToBundleBasePrice,
        discountRatio,
        minQuantity,
        maxQuantity,
      };
    }),
  };
}

function newVariant(): Omit<VariantRow, 'productId' | 'position' | 'prices'> {
  return {
    id: newId(),
    sku: null,
    barcodeList: [],
    isActive: true,
    sellIfOutOfStock: null,
    weight: null,
    unit: null,
    hsCode: null,
    fileId: null,
    subscriptionPlanId: null,
    images: null,
    variantValues: null,
    attributes: null,
    bundle: null,
    sourceId: null,
    deleted: false,
  };
}

/** New and stored rows have the same members: one statement writes both. */
export function variantColumns({
  productId: _productId,
  position: _position,
  ...row
}: VariantRow): VariantWrite['row'] {
  return row;
}

export function attributeValue(attribute: NonNullable<ProductInput['attributes']>[number]): StoredAttributeValue {
  const { productAttributeId = null, productAttributeOptionId = null, value = null, imageIds = null } = attribute;
  return { productAttributeId, productAttributeOptionId, value, imageIds };
}
