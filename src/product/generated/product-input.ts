// Written by `npm run codegen` from schema/product.graphql. Do not edit.
import { z } from 'zod';
import { amount, currencyCode, distinct, id, instant, list, measure, name, notNull, number, ownId, text, trimmed } from '../../field-input.ts';
import { htmlMetaDataInput, htmlMetaDataOverrideInput, htmlMetaDataPatchInput, htmlMetaDataTranslationInput } from '../../page-metadata/generated/page-metadata-input.ts';

const productUnitTypeEnum = z.enum(['CENTILITER', 'CENTIMETER', 'CUBIC_METERS', 'CUSTOM', 'GRAM', 'KILOGRAM', 'LITER', 'METER', 'MILLIGRAM', 'MILLILITER', 'MILLIMETER', 'SQUARE_METERS']);

const salesChannelStatusEnum = z.enum(['HIDDEN', 'VISIBLE', 'PASSIVE']);

const productTypeEnum = z.enum(['PHYSICAL', 'DIGITAL', 'BUNDLE', 'MEMBERSHIP', 'SUBSCRIPTION']);

export const lowestPriceInput = z.object({

});
export type LowestPriceInput = z.output<typeof lowestPriceInput>;

export const productPriceInput = z.object({
  sellPrice: amount(),
  buyPrice: amount().nullish(),
  discountPrice: amount().nullish(),
  currency: currencyCode().nullish(),
  priceListId: id().nullish(),
});
export type ProductPriceInput = z.output<typeof productPriceInput>;

export const productAttributeValueInput = z.object({
  productAttributeId: id().nullish(),
  productAttributeOptionId: id().nullish(),
  value: text().nullish(),
  imageIds: list(text(255), 1000).nullish(),
});
export type ProductAttributeValueInput = z.output<typeof productAttributeValueInput>;

export const productImageInput = z.object({
  imageId: text(255),
  isMain: z.boolean(),
  order: number(),
  fileName: text(255).nullish(),
  isVideo: z.boolean().nullish(),
});
export type ProductImageInput = z.output<typeof productImageInput>;

export const variantValueRelationInput = z.object({
  variantTypeId: id(),
  variantValueId: id(),
});
export type VariantValueRelationInput = z.output<typeof variantValueRelationInput>;

export const variantUnitModelInput = z.object({
  amount: measure().nullable().default(null),
  type: productUnitTypeEnum,
});
export type VariantUnitModelInput = z.output<typeof variantUnitModelInput>;

export const bundleProductModelInput = z.object({
  id: text(255),
  productId: id(),
  quantity: amount(),
  order: number(),
  filteredVariantIds: list(text(255), 1000),
  addToBundleBasePrice: z.boolean().nullish(),
  discountRatio: number().nullish(),
  minQuantity: amount().nullish(),
  maxQuantity: amount().nullish(),
});
export type BundleProductModelInput = z.output<typeof bundleProductModelInput>;

export const bundleSettingsModelInput = z.object({
  maxBundleQuantity: amount().nullish(),
  minBundleQuantity: amount().nullish(),
  products: list(bundleProductModelInput, 1000).superRefine(distinct('id')),
});
export type BundleSettingsModelInput = z.output<typeof bundleSettingsModelInput>;

export const variantInput = z.object({
  id: ownId(),
  sourceId: text(255).nullish(),
  isActive: z.boolean().default(true),
  prices: list(productPriceInput, 1000).superRefine(distinct('priceListId')),
  sku: text(255).nullish(),
  barcodeList: list(text(255), 1000).nullish(),
  attributes: list(productAttributeValueInput, 1000).nullish(),
  images: list(productImageInput, 1000).superRefine(distinct('imageId')).nullish(),
  variantValueIds: list(variantValueRelationInput, 1000).nullish(),
  sellIfOutOfStock: z.boolean().nullish(),
  weight: measure().nullish(),
  unit: variantUnitModelInput.nullish(),
  hsCode: text(255).nullish(),
  fileId: text(255).nullish(),
  bundleSettings: bundleSettingsModelInput.nullish(),
  subscriptionPlanId: text(255).nullish(),
  deleted: z.boolean().nullish(),
});
export type VariantInput = z.output<typeof variantInput>;

export const productBaseUnitModelInput = z.object({
  type: productUnitTypeEnum,
  baseAmount: measure(),
  unitId: text(255).nullable().default(null),
});
export type ProductBaseUnitModelInput = z.output<typeof productBaseUnitModelInput>;

export const productSalesChannelInput = z.object({
  id: id(),
  status: salesChannelStatusEnum.nullish(),
  maxQuantityPerCart: amount().nullish(),
  minQuantityPerCart: amount().nullish(),
  productVolumeDiscountId: text(255).nullish(),
  quantitySettings: list(amount(), 1000).nullish(),
});
export type ProductSalesChannelInput = z.output<typeof productSalesChannelInput>;

export const productVariantTypeInput = z.object({
  order: number(),
  variantTypeId: id(),
  variantValueIds: list(id(), 1000),
});
export type ProductVariantTypeInput = z.output<typeof productVariantTypeInput>;

export const productTranslationInput = z.object({
  locale: name(35),
  name: trimmed(255).nullable().default(null),
  description: text().nullable().default(null),
});
export type ProductTranslationInput = z.output<typeof productTranslationInput>;

export const productInput = z.object({
  id: ownId(),
  sourceId: text(255).nullish(),
  name: name(255),
  type: productTypeEnum,
  variants: list(variantInput, 1000).superRefine(distinct('id')),
  attributes: list(productAttributeValueInput, 1000).nullish(),
  baseUnit: productBaseUnitModelInput.nullish(),
  brandId: id().nullish(),
  categoryIds: list(id(), 1000).nullish(),
  description: text().nullish(),
  shortDescription: text().nullish(),
  dynamicPriceListIds: list(id(), 1000).nullish(),
  googleTaxonomyId: text(255).nullish(),
  groupVariantsByVariantTypeId: id().nullish(),
  salesChannelIds: list(id(), 1000).nullish(),
  hiddenSalesChannelIds: list(id(), 1000).nullish(),
  salesChannels: list(productSalesChannelInput, 1000).superRefine(distinct('id')).nullish(),
  maxQuantityPerCart: amount().nullish(),
  metaData: htmlMetaDataInput.nullish(),
  productOptionSetId: text(255).nullish(),
  productVariantTypes: list(productVariantTypeInput, 1000).superRefine(distinct('variantTypeId')).nullish(),
  productVolumeDiscountId: text(255).nullish(),
  releaseDate: instant().nullish(),
  subscriptionPlanId: text(255).nullish(),
  tagIds: list(id(), 1000).nullish(),
  translations: list(productTranslationInput, 1000).superRefine(distinct('locale')).nullish(),
  vendorId: text(255).nullish(),
  weight: measure().nullish(),
  version: z.int().nullish(),
  deleted: z.boolean().nullish(),
});
export type ProductInput = z.output<typeof productInput>;

export const productPricePatchInput = z.object({
  sellPrice: notNull(amount()),
  buyPrice: amount().nullish(),
  discountPrice: amount().nullish(),
  currency: currencyCode().nullish(),
  priceListId: id().nullish(),
});
export type ProductPricePatchInput = z.output<typeof productPricePatchInput>;

export const variantPatchInput = z.object({
  id: ownId(),
  sourceId: text(255).nullish(),
  isActive: notNull(z.boolean()),
  prices: notNull(list(productPricePatchInput, 1000).superRefine(distinct('priceListId'))),
  sku: text(255).nullish(),
  barcodeList: list(text(255), 1000).nullish(),
  attributes: list(productAttributeValueInput, 1000).nullish(),
  images: list(productImageInput, 1000).superRefine(distinct('imageId')).nullish(),
  variantValueIds: list(variantValueRelationInput, 1000).nullish(),
  sellIfOutOfStock: z.boolean().nullish(),
  weight: measure().nullish(),
  unit: variantUnitModelInput.nullish(),
  hsCode: text(255).nullish(),
  fileId: text(255).nullish(),
  bundleSettings: bundleSettingsModelInput.nullish(),
  subscriptionPlanId: text(255).nullish(),
  deleted: z.boolean().nullish(),
});
export type VariantPatchInput = z.output<typeof variantPatchInput>;

export const productPatchInput = z.object({
  sourceId: text(255).nullish(),
  name: notNull(name(255)),
  type: notNull(productTypeEnum),
  variants: notNull(list(variantPatchInput, 1000).superRefine(distinct('id'))),
  attributes: list(productAttributeValueInput, 1000).nullish(),
  baseUnit: productBaseUnitModelInput.nullish(),
  brandId: id().nullish(),
  categoryIds: list(id(), 1000).nullish(),
  description: text().nullish(),
  shortDescription: text().nullish(),
  dynamicPriceListIds: list(id(), 1000).nullish(),
  googleTaxonomyId: text(255).nullish(),
  groupVariantsByVariantTypeId: id().nullish(),
  salesChannelIds: list(id(), 1000).nullish(),
  hiddenSalesChannelIds: list(id(), 1000).nullish(),
  salesChannels: list(productSalesChannelInput, 1000).superRefine(distinct('id')).nullish(),
  maxQuantityPerCart: amount().nullish(),
  metaData: htmlMetaDataPatchInput.nullish(),
  productOptionSetId: text(255).nullish(),
  productVariantTypes: list(productVariantTypeInput, 1000).superRefine(distinct('variantTypeId')).nullish(),
  productVolumeDiscountId: text(255).nullish(),
  releaseDate: instant().nullish(),
  subscriptionPlanId: text(255).nullish(),
  tagIds: list(id(), 1000).nullish(),
  translations: list(productTranslationInput, 1000).superRefine(distinct('locale')).nullish(),
  vendorId: text(255).nullish(),
  weight: measure().nullish(),
  deleted: z.boolean().nullish(),
});
export type ProductPatchInput = z.output<typeof productPatchInput>;

export const bulkUpdateProductPriceInput = z.object({
  sellPrice: amount(),
  buyPrice: amount().nullish(),
  discountPrice: amount().nullish(),
  currencyCode: currencyCode().nullish(),
  priceListId: id().nullish(),
});
export type BulkUpdateProductPriceInput = z.output<typeof bulkUpdateProductPriceInput>;

export const bulkUpdateProductImageInput = z.object({
  imageUrl: text(2048),
  isMain: z.boolean(),
  isVideo: z.boolean().nullish(),
  order: number(),
});
export type BulkUpdateProductImageInput = z.output<typeof bulkUpdateProductImageInput>;

export const bulkUpdateProductStockInput = z.object({
  stockLocationId: id(),
  stockCount: amount({ min: -1000000000000, max: 1000000000000 }),
});
export type BulkUpdateProductStockInput = z.output<typeof bulkUpdateProductStockInput>;

export const bulkUpdateProductVariationValueRelationInput = z.object({
  variantTypeName: name(100),
  variantValueName: name(100),
});
export type BulkUpdateProductVariationValueRelationInput = z.output<typeof bulkUpdateProductVariationValueRelationInput>;

export const bulkUpdateProductVariantInput = z.object({
  id: ownId(),
  sourceId: text(255).nullish(),
  sku: text(255).nullish(),
  barcodeList: list(text(255), 1000).nullish(),
  isActive: z.boolean().default(true),
  prices: list(bulkUpdateProductPriceInput, 1000),
  images: list(bulkUpdateProductImageInput, 1000).nullish(),
  stocks: list(bulkUpdateProductStockInput, 1000).superRefine(distinct('stockLocationId')).nullish(),
  variantValues: list(bulkUpdateProductVariationValueRelationInput, 1000).nullish(),
  hsCode: text(255).nullish(),
  weight: measure().nullish(),
  deleted: z.boolean().nullish(),
});
export type BulkUpdateProductVariantInput = z.output<typeof bulkUpdateProductVariantInput>;

export const bulkUpdateProductBrandInput = z.object({
  name: name(255),
  description: text().nullish(),
  imageId: text(255).nullish(),
});
export type BulkUpdateProductBrandInput = z.output<typeof bulkUpdateProductBrandInput>;

export const bulkUpdateProductCategoryInput = z.object({
  name: list(name(255), 1000),
});
export type BulkUpdateProductCategoryInput = z.output<typeof bulkUpdateProductCategoryInput>;

export const bulkUpdateProductTagInput = z.object({
  name: name(255),
});
export type BulkUpdateProductTagInput = z.output<typeof bulkUpdateProductTagInput>;

export const bulkUpdateProductVariantValueImportInput = z.object({
  name: name(100),
  colorCode: text(7).nullish(),
  thumbnailImageUrl: text(2048).nullish(),
  sourceId: text(255).nullish(),
});
export type BulkUpdateProductVariantValueImportInput = z.output<typeof bulkUpdateProductVariantValueImportInput>;

export const bulkUpdateProductVariantTypeImportInput = z.object({
  order: number(),
  variantTypeName: name(100).nullish(),
  variantValues: list(bulkUpdateProductVariantValueImportInput, 1000),
});
export type BulkUpdateProductVariantTypeImportInput = z.output<typeof bulkUpdateProductVariantTypeImportInput>;

export const bulkUpdateProductHTMLMetaDataInput = z.object({
  slug: name(255).nullish(),
  pageTitle: text(255).nullish(),
  description: text().nullish(),
  canonicals: list(text(2048), 1000).nullish(),
  disableIndex: z.boolean().nullish(),
  redirectTo: text(2048).nullish(),
  metadataOverrides: list(htmlMetaDataOverrideInput, 1000).nullish(),
  translations: list(htmlMetaDataTranslationInput, 1000).superRefine(distinct('locale')).nullish(),
  deleted: z.boolean().nullish(),
});
export type BulkUpdateProductHTMLMetaDataInput = z.output<typeof bulkUpdateProductHTMLMetaDataInput>;

export const bulkUpdateProductsInput = z.object({
  id: ownId(),
  sourceId: text(255).nullish(),
  name: name(255),
  type: productTypeEnum,
  variants: list(bulkUpdateProductVariantInput, 1000).superRefine(distinct('id')).superRefine(distinct('sourceId')),
  brand: bulkUpdateProductBrandInput.nullish(),
  categories: list(bulkUpdateProductCategoryInput, 1000),
  tags: list(bulkUpdateProductTagInput, 1000).nullish(),
  productVariantTypes: list(bulkUpdateProductVariantTypeImportInput, 1000).superRefine(distinct('variantTypeName')),
  metaData: bulkUpdateProductHTMLMetaDataInput.nullish(),
  description: text().nullish(),
  shortDescription: text().nullish(),
  googleTaxonomyId: text(255).nullish(),
  salesChannelIds: list(id(), 1000).nullish(),
  salesChannels: list(productSalesChannelInput, 1000).superRefine(distinct('id')).nullish(),
  maxQuantityPerCart: amount().nullish(),
  vendor: text(255).nullish(),
  weight: measure().nullish(),
  deleted: z.boolean().nullish(),
});
export type BulkUpdateProductsInput = z.output<typeof bulkUpdateProductsInput>;

export const variantPriceInput = z.object({
  productId: id(),
  variantId: id(),
  price: productPriceInput,
  deleted: z.boolean().nullish(),
});
export type VariantPriceInput = z.output<typeof variantPriceInput>;

export const saveVariantPricesInput = z.object({
  priceListId: id().nullish(),
  variantPriceInputs: list(variantPriceInput, 3000),
});
export type SaveVariantPricesInput = z.output<typeof saveVariantPricesInput>;

export const updateProductSalesChannelStatusInput = z.object({
  productId: id(),
  active: z.boolean(),
});
export type UpdateProductSalesChannelStatusInput = z.output<typeof updateProductSalesChannelStatusInput>;

export const bulkUpdateProductsInputList = list(bulkUpdateProductsInput, 1000).superRefine(distinct('id')).superRefine(distinct('sourceId'));

export const updateProductSalesChannelStatusInputList = list(updateProductSalesChannelStatusInput, 1000).superRefine(distinct('productId'));
