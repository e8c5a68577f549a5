import { z } from 'zod';
import { productAttributeTypes } from '../../../drizzle/attribute.ts';
import { productAttributeValueInput, productInput, variantInput } from '../../product/generated/product-input.ts';

const names = z.array(z.string()).nullable();

const channelSettings = productInput.shape.salesChannels
  .unwrap()
  .unwrap()
  .element.omit({ id: true })
  .extend({ salesChannel: z.string() });

const attributes = z
  .array(
    z.strictObject({
      attribute: z.string(),
      type: z.enum(productAttributeTypes),
      tableTemplate: z.object({}).loose().optional(),
      option: z.string().optional(),
      value: productAttributeValueInput.shape.value.unwrap().unwrap().optional(),
    }),
  )
  .nullable();

const bundleProduct = variantInput.shape.bundleSettings
  .unwrap()
  .unwrap()
  .shape.products.element.omit({ productId: true, filteredVariantIds: true })
  .extend({ product: z.string(), variants: z.array(z.string()) });

/** The shapes of `ProductExtras`: what a cell or a line may hold. Limits are checked by bulkUpdateProducts. */
export const productExtrasSchema = z
  .object({
    baseUnit: z.object({}).loose().nullable(),
    translations: z.array(z.object({}).loose()).nullable(),
    releaseDate: z.iso.datetime({ offset: true, message: 'must be a time such as 2026-01-31T12:00:00Z' }).nullable(),
    productOptionSetId: z.string().nullable(),
    productVolumeDiscountId: z.string().nullable(),
    subscriptionPlanId: z.string().nullable(),
    dynamicPriceLists: names,
    salesChannels: names,
    hiddenSalesChannels: names,
    salesChannelSettings: z.array(channelSettings).nullable(),
    groupVariantsBy: z.string().nullable(),
    attributes,
    canonicals: names,
    disableIndex: z.boolean().nullable(),
    redirectTo: z.string().nullable(),
    metadataOverrides: z.array(z.object({}).loose()).nullable(),
    metadataTranslations: z.array(z.object({}).loose()).nullable(),
  })
  .partial();

export const variantExtrasSchema = z
  .object({
    unit: z.object({}).loose().nullable(),
    fileId: z.string().nullable(),
    subscriptionPlanId: z.string().nullable(),
    attributes,
    bundle: z
      .object({
        maxBundleQuantity: z.number().nullable(),
        minBundleQuantity: z.number().nullable(),
        products: z.array(bundleProduct),
      })
      .nullable(),
  })
  .partial();

/** Members that are missing change nothing; null clears. */
export type SentProductExtras = z.infer<typeof productExtrasSchema>;
export type SentVariantExtras = z.infer<typeof variantExtrasSchema>;

/** What a cell or a member of a line may hold. */
export type Shape = z.ZodType;

/** Texts of a brand or category that an import may have to create. */
export const textsSchema = z.object({
  description: z.string().optional(),
  translations: z.array(z.object({ locale: z.string() }).loose()).optional(),
});
export const categoryTextsSchema = z.array(textsSchema.extend({ name: z.array(z.string()) }));
/** By variant type and value. `z.record` would leave out the name `__proto__`. */
export const colorsSchema = z.custom<Record<string, Record<string, string>>>(
  (value) => isRecordOf(value, (colors) => isRecordOf(colors, (color) => typeof color === 'string')),
  'must be colors by variant type and value',
);

export type SentTexts = z.infer<typeof textsSchema>;
export type SentCategoryTexts = z.infer<typeof categoryTextsSchema>;
export type SentColors = z.infer<typeof colorsSchema>;

function isRecordOf(value: unknown, isEntry: (entry: unknown) => boolean): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isEntry);
}
