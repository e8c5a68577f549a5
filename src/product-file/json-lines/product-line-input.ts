import { z } from 'zod';
import { productTypes } from '../../../drizzle/product.ts';
import { productExtrasSchema, variantExtrasSchema } from '../import/sent-extras-input.ts';

const text = z.string().nullable();
const number = z.number().nullable();
const texts = { description: text.optional(), translations: z.array(z.object({}).loose()).nullable().optional() };

const variantLine = z.strictObject({
  sourceId: text.optional(),
  sku: text.optional(),
  barcodeList: z.array(z.string()).optional(),
  isActive: z.boolean().optional(),
  sellIfOutOfStock: z.boolean().nullable().optional(),
  weight: number.optional(),
  hsCode: text.optional(),
  prices: z
    .array(
      z.strictObject({
        priceList: text.optional(),
        sellPrice: z.number(),
        buyPrice: number.optional(),
        discountPrice: number.optional(),
        currencyCode: text.optional(),
      }),
    )
    .refine((prices) => new Set(prices.map(({ priceList }) => priceList ?? null)).size === prices.length, {
      message: 'must not have two rows of one price list',
    }),
  stocks: z.array(z.strictObject({ stockLocation: z.string(), stockCount: z.number() })).optional(),
  variantValues: z.array(z.strictObject({ variantTypeName: z.string(), variantValueName: z.string() })).optional(),
  images: z
    .array(z.strictObject({ imageUrl: z.string(), isMain: z.boolean(), isVideo: z.boolean(), order: z.number() }))
    .optional(),
  ...variantExtrasSchema.shape,
});

/**
 * A product as one line of JSON: the members of BulkUpdateProductsInput, with names instead of the ids of price lists,
 * stock locations, sales channels, attributes and products of bundles. Members that are missing stay; null clears. An
 * unknown member is refused, so that a misspelt one is not lost.
 */
export const productLine = z.strictObject({
  handle: z.string().min(1),
  updatedAt: z.iso.datetime({ offset: true }).optional(),
  stockUpdatedAt: z.iso.datetime({ offset: true }).nullable().optional(),
  sourceId: text.optional(),
  name: z.string(),
  type: z.enum(productTypes),
  brand: z
    .strictObject({ name: z.string(), ...texts })
    .nullable()
    .optional(),
  categories: z.array(z.strictObject({ name: z.array(z.string()) })).optional(),
  categoryTexts: z.array(z.strictObject({ name: z.array(z.string()), ...texts })).optional(),
  tags: z.array(z.strictObject({ name: z.string() })).optional(),
  productVariantTypes: z
    .array(
      z.strictObject({
        order: z.number(),
        variantTypeName: z.string(),
        variantValues: z.array(z.strictObject({ name: z.string(), colorCode: text.optional() })),
      }),
    )
    .optional(),
  pageTitle: text.optional(),
  pageDescription: text.optional(),
  description: text.optional(),
  shortDescription: text.optional(),
  googleTaxonomyId: text.optional(),
  maxQuantityPerCart: number.optional(),
  vendorId: text.optional(),
  weight: number.optional(),
  ...productExtrasSchema.shape,
  variants: z.array(variantLine),
});

export type ProductLine = z.infer<typeof productLine>;
export type VariantLine = z.infer<typeof variantLine>;
