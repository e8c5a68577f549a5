import { z } from 'zod';
import { productTypes } from '../../../drizzle/product.ts';
import {
  amount,
  COLOR_CODE_MAX,
  distinct,
  id,
  measure,
  NAME_MAX,
  name,
  number,
  ownId,
  text,
  URL_MAX,
} from '../../field-input.ts';
import { metaDataInput } from '../../page-metadata/page-metadata-input.ts';
import { stockCount } from '../../stock/product-stock-location-input.ts';
import { VARIANT_NAME_MAX } from '../../variant-type/variant-type-input.ts';
import { oneMainImage, salesChannelInput } from '../save/product-input.ts';

/** As many products as one request may bring. */
const BULK_PRODUCTS_MAX = 1_000;

const variant = z.object({
  id: ownId(),
  sourceId: text(NAME_MAX).nullish(),
  sku: text(NAME_MAX).nullish(),
  barcodeList: z.array(text(NAME_MAX)).nullish(),
  isActive: z.boolean().default(true),
  prices: z.array(
    z.object({
      sellPrice: amount(),
      buyPrice: amount().nullish(),
      discountPrice: amount().nullish(),
      currencyCode: text(NAME_MAX).nullish(),
      priceListId: id().nullish(),
    }),
  ),
  images: z
    .array(z.object({ imageUrl: text(URL_MAX), isMain: z.boolean(), isVideo: z.boolean().nullish(), order: number() }))
    .superRefine(oneMainImage)
    .nullish(),
  stocks: z
    .array(z.object({ stockLocationId: id(), stockCount: stockCount() }))
    .superRefine(distinct('stockLocationId'))
    .nullish(),
  variantValues: z
    .array(z.object({ variantTypeName: name(VARIANT_NAME_MAX), variantValueName: name(VARIANT_NAME_MAX) }))
    .nullish(),
  hsCode: text(NAME_MAX).nullish(),
  // Not in the SDL: product sheets say it, and they come without GraphQL.
  sellIfOutOfStock: z.boolean().nullish(),
  weight: measure().nullish(),
  deleted: z.boolean().default(false),
});

const variantType = z.object({
  order: number(),
  variantTypeName: name(VARIANT_NAME_MAX),
  variantValues: z.array(
    z.object({
      name: name(VARIANT_NAME_MAX),
      colorCode: text(COLOR_CODE_MAX).nullish(),
      thumbnailImageUrl: text(URL_MAX).nullish(),
      sourceId: text(NAME_MAX).nullish(),
    }),
  ),
});

const product = z.object({
  id: ownId(),
  sourceId: text(NAME_MAX).nullish(),
  name: name(),
  type: z.enum(productTypes),
  variants: z.array(variant).superRefine(distinct('id')).superRefine(distinct('sourceId')),
  brand: z.object({ name: name(), description: text().nullish(), imageId: text(NAME_MAX).nullish() }).nullish(),
  categories: z.array(z.object({ name: z.array(name()).min(1, 'must have at least one name') })),
  tags: z.array(z.object({ name: name() })).nullish(),
  productVariantTypes: z.array(variantType).superRefine(distinct('variantTypeName')),
  metaData: metaDataInput.omit({ deleted: true }).extend({ slug: name().nullish() }).nullish(),
  description: text().nullish(),
  shortDescription: text().nullish(),
  googleTaxonomyId: text(NAME_MAX).nullish(),
  salesChannelIds: z.array(id()).nullish(),
  salesChannels: z.array(salesChannelInput).superRefine(distinct('id')).nullish(),
  maxQuantityPerCart: amount().nullish(),
  vendor: text(NAME_MAX).nullish(),
  weight: measure().nullish(),
  deleted: z.boolean().default(false),
});

export const bulkProductsInput = z
  .array(product)
  .max(BULK_PRODUCTS_MAX, `must have at most ${BULK_PRODUCTS_MAX} entries`)
  .superRefine(distinct('id'))
  .superRefine(distinct('sourceId'));

export type BulkProductInput = z.infer<typeof product>;
export type BulkVariantInput = BulkProductInput['variants'][number];
