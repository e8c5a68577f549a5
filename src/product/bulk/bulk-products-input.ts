import { z } from 'zod';
import { productTypes } from '../../../drizzle/product.ts';
import {
  amount,
  currencyCode,
  MAX_COLOR_CODE_LENGTH,
  distinct,
  id,
  measure,
  MAX_NAME_LENGTH,
  name,
  nameAndDescription,
  number,
  ownId,
  text,
  MAX_URL_LENGTH,
} from '../../field-input.ts';
import { pageMetadataInput } from '../../page-metadata/page-metadata-input.ts';
import { stockCount } from '../../stock/product-stock-location-input.ts';
import { MAX_VARIANT_NAME_LENGTH } from '../../variant-type/variant-type-input.ts';
import { oneMainImage, productInput, salesChannelInput, variantInput } from '../save/product-input.ts';

/** Maximum number of products in one request, as the SDL says. */
const MAX_BULK_PRODUCTS = 1_000;

const variant = z.object({
  id: ownId(),
  sourceId: text(MAX_NAME_LENGTH).nullish(),
  sku: text(MAX_NAME_LENGTH).nullish(),
  barcodeList: z.array(text(MAX_NAME_LENGTH)).nullish(),
  isActive: z.boolean().default(true),
  prices: z.array(
    z.object({
      sellPrice: amount(),
      buyPrice: amount().nullish(),
      discountPrice: amount().nullish(),
      currencyCode: currencyCode().nullish(),
      priceListId: id().nullish(),
    }),
  ),
  images: z
    .array(
      z.object({
        imageUrl: text(MAX_URL_LENGTH),
        isMain: z.boolean(),
        isVideo: z.boolean().nullish(),
        order: number(),
      }),
    )
    .superRefine(oneMainImage)
    .nullish(),
  stocks: z
    .array(z.object({ stockLocationId: id(), stockCount: stockCount() }))
    .superRefine(distinct('stockLocationId'))
    .nullish(),
  variantValues: z
    .array(
      z.object({ variantTypeName: name(MAX_VARIANT_NAME_LENGTH), variantValueName: name(MAX_VARIANT_NAME_LENGTH) }),
    )
    .nullish(),
  hsCode: text(MAX_NAME_LENGTH).nullish(),
  weight: measure().nullish(),
  deleted: z.boolean().nullish(),
  // These members are not in the SDL, because only imports send them.
  ...variantInput.pick({ sellIfOutOfStock: true, unit: true, fileId: true, subscriptionPlanId: true, attributes: true })
    .shape,
});
const variantType = z.object({
  order: number(),
  variantTypeName: name(MAX_VARIANT_NAME_LENGTH),
  variantValues: z.array(
    z.object({
      name: name(MAX_VARIANT_NAME_LENGTH),
      colorCode: text(MAX_COLOR_CODE_LENGTH).nullish(),
      thumbnailImageUrl: text(MAX_URL_LENGTH).nullish(),
      sourceId: text(MAX_NAME_LENGTH).nullish(),
    }),
  ),
});

const product = z.object({
  id: ownId(),
  sourceId: text(MAX_NAME_LENGTH).nullish(),
  name: name(),
  type: z.enum(productTypes),
  variants: z.array(variant).superRefine(distinct('id')).superRefine(distinct('sourceId')),
  brand: z
    .object({
      name: name(),
      description: text().nullish(),
      imageId: text(MAX_NAME_LENGTH).nullish(),
      translations: nameAndDescription().nullish(),
    })
    .nullish(),
  categories: z.array(z.object({ name: z.array(name()).min(1, 'must have at least one name') })),
  tags: z.array(z.object({ name: name() })).nullish(),
  productVariantTypes: z.array(variantType).superRefine(distinct('variantTypeName')),
  metaData: pageMetadataInput.omit({ deleted: true }).extend({ slug: name().nullish() }).nullish(),
  description: text().nullish(),
  shortDescription: text().nullish(),
  googleTaxonomyId: text(MAX_NAME_LENGTH).nullish(),
  salesChannelIds: z.array(id()).nullish(),
  salesChannels: z.array(salesChannelInput).superRefine(distinct('id')).nullish(),
  maxQuantityPerCart: amount().nullish(),
  vendor: text(MAX_NAME_LENGTH).nullish(),
  weight: measure().nullish(),
  deleted: z.boolean().nullish(),
  // These members are not in the SDL, because only imports send them. The texts are for categories that are created.
  categoryTexts: z
    .array(
      z.object({
        name: z.array(name()),
        description: text().nullish(),
        translations: nameAndDescription().nullish(),
      }),
    )
    .optional(),
  groupVariantsByVariantTypeName: name(MAX_VARIANT_NAME_LENGTH).nullish(),
  ...productInput.pick({
    attributes: true,
    baseUnit: true,
    translations: true,
    releaseDate: true,
    productOptionSetId: true,
    productVolumeDiscountId: true,
    subscriptionPlanId: true,
    dynamicPriceListIds: true,
    hiddenSalesChannelIds: true,
  }).shape,
});

export const bulkProductsInput = {
  entry: product,
  list: z
    .array(z.custom<BulkProductInput>())
    .max(MAX_BULK_PRODUCTS, `must have at most ${MAX_BULK_PRODUCTS} entries`)
    .superRefine(distinct('id'))
    .superRefine(distinct('sourceId')),
};

export type BulkProductInput = z.infer<typeof product>;
export type BulkVariantInput = BulkProductInput['variants'][number];
