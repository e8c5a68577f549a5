import { z } from 'zod';
import { productTypes } from '../../../drizzle/product.ts';
import { productUnitTypes } from '../../../drizzle/product-values.ts';
import {
  amount,
  currencyCode,
  distinct,
  id,
  instant,
  measure,
  MAX_NAME_LENGTH,
  name,
  nameAndDescription,
  number,
  ownId,
  text,
} from '../../field-input.ts';
import { pageMetadataInput } from '../../page-metadata/page-metadata-input.ts';

export const priceInput = z.object({
  sellPrice: amount(),
  buyPrice: amount().nullish(),
  discountPrice: amount().nullish(),
  currency: currencyCode().nullish(),
  priceListId: id().nullish(),
});

export const attributeValueInput = z.object({
  productAttributeId: id().nullish(),
  productAttributeOptionId: id().nullish(),
  value: text().nullish(),
  imageIds: z.array(text(MAX_NAME_LENGTH)).nullish(),
});

const image = z.object({
  imageId: text(MAX_NAME_LENGTH),
  isMain: z.boolean(),
  order: number(),
  fileName: text(MAX_NAME_LENGTH).nullish(),
  isVideo: z.boolean().nullish(),
});

const bundleProduct = z.object({
  id: text(MAX_NAME_LENGTH),
  productId: id(),
  quantity: amount(),
  order: number(),
  filteredVariantIds: z.array(text(MAX_NAME_LENGTH)),
  addToBundleBasePrice: z.boolean().nullish(),
  discountRatio: number().nullish(),
  minQuantity: amount().nullish(),
  maxQuantity: amount().nullish(),
});

export const variantInput = z.object({
  id: ownId(),
  sourceId: text(MAX_NAME_LENGTH).nullish(),
  isActive: z.boolean().default(true),
  prices: z.array(priceInput).superRefine(distinct('priceListId')).superRefine(oneBasePrice),
  sku: text(MAX_NAME_LENGTH).nullish(),
  barcodeList: z.array(text(MAX_NAME_LENGTH)).nullish(),
  attributes: z.array(attributeValueInput).nullish(),
  images: z.array(image).superRefine(distinct('imageId')).superRefine(oneMainImage).nullish(),
  variantValueIds: z.array(z.object({ variantTypeId: id(), variantValueId: id() })).nullish(),
  sellIfOutOfStock: z.boolean().nullish(),
  weight: measure().nullish(),
  unit: z.object({ amount: measure().nullish(), type: z.enum(productUnitTypes) }).nullish(),
  hsCode: text(MAX_NAME_LENGTH).nullish(),
  fileId: text(MAX_NAME_LENGTH).nullish(),
  bundleSettings: z
    .object({
      maxBundleQuantity: amount().nullish(),
      minBundleQuantity: amount().nullish(),
      products: z.array(bundleProduct).superRefine(distinct('id')),
    })
    .nullish(),
  subscriptionPlanId: text(MAX_NAME_LENGTH).nullish(),
  deleted: z.boolean().nullish(),
});

export const salesChannelInput = z.object({
  id: id(),
  status: z.enum(['HIDDEN', 'VISIBLE', 'PASSIVE']),
  maxQuantityPerCart: amount().nullish(),
  minQuantityPerCart: amount().nullish(),
  productVolumeDiscountId: text(MAX_NAME_LENGTH).nullish(),
  quantitySettings: z.array(amount()).nullish(),
});

const variantType = z.object({ order: number(), variantTypeId: id(), variantValueIds: z.array(id()) });

export const productInput = z.object({
  id: ownId(),
  sourceId: text(MAX_NAME_LENGTH).nullish(),
  name: name(),
  type: z.enum(productTypes),
  variants: z.array(variantInput).superRefine(distinct('id')),
  attributes: z.array(attributeValueInput).nullish(),
  baseUnit: z
    .object({ type: z.enum(productUnitTypes), baseAmount: measure(), unitId: text(MAX_NAME_LENGTH).nullish() })
    .nullish(),
  brandId: id().nullish(),
  categoryIds: z.array(id()).nullish(),
  description: text().nullish(),
  shortDescription: text().nullish(),
  dynamicPriceListIds: z.array(id()).nullish(),
  googleTaxonomyId: text(MAX_NAME_LENGTH).nullish(),
  groupVariantsByVariantTypeId: id().nullish(),
  hiddenSalesChannelIds: z.array(id()).nullish(),
  salesChannelIds: z.array(id()).nullish(),
  salesChannels: z.array(salesChannelInput).superRefine(distinct('id')).nullish(),
  maxQuantityPerCart: amount().nullish(),
  metaData: pageMetadataInput.nullish(),
  productOptionSetId: text(MAX_NAME_LENGTH).nullish(),
  productVariantTypes: z.array(variantType).superRefine(distinct('variantTypeId')).nullish(),
  productVolumeDiscountId: text(MAX_NAME_LENGTH).nullish(),
  releaseDate: instant().nullish(),
  subscriptionPlanId: text(MAX_NAME_LENGTH).nullish(),
  tagIds: z.array(id()).nullish(),
  translations: nameAndDescription().nullish(),
  vendorId: text(MAX_NAME_LENGTH).nullish(),
  weight: measure().nullish(),
  version: z.int().nullish(),
  deleted: z.boolean().nullish(),
});

export type ProductInput = z.infer<typeof productInput>;
export type VariantInput = ProductInput['variants'][number];

/**
 * Refuses two main images. A list without a main image is accepted: the first image in order becomes the main image.
 */
export function oneMainImage(images: readonly { isMain: boolean }[], context: z.RefinementCtx): void {
  const second = images.findIndex(({ isMain }, index) => isMain && images.findIndex((image) => image.isMain) < index);
  if (second >= 0)
    context.addIssue({
      code: 'custom',
      path: [second, 'isMain'],
      message: 'must be false: a variant has one main image',
    });
}

export function oneBasePrice(rows: { priceListId?: string | null }[], context: z.RefinementCtx): void {
  const isBase = ({ priceListId }: { priceListId?: string | null }) =>
    priceListId === undefined || priceListId === null;
  const second = rows.findIndex((row, index) => isBase(row) && rows.findIndex(isBase) < index);
  if (second >= 0)
    context.addIssue({
      code: 'custom',
      path: [second, 'priceListId'],
      message: 'must name a price list: a variant has one base price',
    });
}
