import type { StoredAttributeValue, StoredBundle, StoredImage } from '../../../drizzle/product-values.ts';
import { newId } from '../../db/sql/id.ts';
import { argumentInvalid, type InputPath, notFound } from '../../errors.ts';
import { withoutUndefined } from '../../field-input.ts';
import type { ProductInput, VariantInput } from './product-input.ts';
import { matchesStored, storedList } from './stored-list.ts';
import type { VariantRow } from './stored-products.ts';
import { sortedImages, withMainImage } from './variant-images.ts';
import { mergePrices } from './variant-prices.ts';
import type { VariantWrite } from './write-products.ts';

/** The variants in the order they were sent, followed by the stored variants that were left out, marked as deleted. */
export function mergeVariants(
  inputs: VariantInput[],
  stored: Map<string, VariantRow>,
  path: InputPath,
): VariantWrite[] {
  const unknown = inputs.filter(({ id }) => id !== undefined && !stored.has(id)).map(({ id }) => id!);
  if (unknown.length > 0)
    throw notFound('Variant', unknown, [...path, inputs.findIndex(({ id }) => id === unknown[0]), 'id']);
  const sentIds = new Set(inputs.map(({ id }) => id));
  const merged = inputs.map((input, index) => mergeVariant(input, index, stored.get(input.id ?? ''), [...path, index]));
  const removed = [...stored.values()].filter(({ id, deleted }) => !sentIds.has(id) && !deleted);
  return [
    ...merged,
    ...removed.map((row) => ({ isNew: false, isUnchanged: false, row: variantColumns({ ...row, deleted: true }) })),
  ];
}

function mergeVariant(
  input: VariantInput,
  position: number,
  stored: VariantRow | undefined,
  path: InputPath,
): VariantWrite {
  const { id: _id, images, variantValueIds, attributes, bundleSettings, barcodeList, deleted, ...members } = input;
  const prices = mergePrices(stored?.prices ?? [], input.prices);
  if (prices[0]?.priceListId !== null) {
    throw argumentInvalid([
      { path: [...path, 'prices'], message: 'must have one row without priceListId, the base price' },
    ]);
  }
  const merged: Partial<VariantRow> = {
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
  };
  if (!stored)
    return { isNew: true, isUnchanged: false, row: variantColumns({ ...newVariant(), ...merged } as VariantRow) };
  // Most variants of a bulk request are unchanged and need no write.
  return {
    isNew: false,
    isUnchanged: stored.position === position && matchesStored(merged, stored),
    row: variantColumns({ ...stored, ...merged }),
  };
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
function variantColumns({ productId: _productId, position: _position, ...row }: VariantRow): VariantWrite['row'] {
  return row;
}

export function attributeValue(attribute: NonNullable<ProductInput['attributes']>[number]): StoredAttributeValue {
  const { productAttributeId = null, productAttributeOptionId = null, value = null, imageIds = null } = attribute;
  return { productAttributeId, productAttributeOptionId, value, imageIds };
}
