import {
  bulkUpdateProductHTMLMetaDataInput,
  productInput,
  variantInput,
} from '../../product/generated/product-input.ts';

/**
 * The members that a file has with the same name and value as the record. Left out here are members with ids of other
 * records, for which a file has names, and members with another shape in a file.
 */
export const productMembers = productInput.omit({
  id: true,
  version: true,
  deleted: true,
  releaseDate: true,
  brandId: true,
  categoryIds: true,
  tagIds: true,
  productVariantTypes: true,
  groupVariantsByVariantTypeId: true,
  dynamicPriceListIds: true,
  salesChannelIds: true,
  hiddenSalesChannelIds: true,
  salesChannels: true,
  attributes: true,
  metaData: true,
  variants: true,
}).shape;
export const variantMembers = variantInput.omit({
  id: true,
  deleted: true,
  prices: true,
  images: true,
  variantValueIds: true,
  attributes: true,
  bundleSettings: true,
}).shape;
/** The slug is the handle of a file. */
export const metaDataMembers = bulkUpdateProductHTMLMetaDataInput.omit({ slug: true }).shape;
