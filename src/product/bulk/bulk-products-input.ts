import { z } from 'zod';
import { productBrandInput } from '../../brand/generated/brand-input.ts';
import { categoryInput } from '../../category/generated/category-input.ts';
import { withElement } from '../../field-input.ts';
import * as sdl from '../generated/product-input.ts';
import { oneMainImage } from '../save/product-input.ts';

/** Maximum number of products in one request, as the SDL says. */
const MAX_BULK_PRODUCTS = 1_000;

const { name: categoryName } = sdl.bulkUpdateProductCategoryInput.shape;
const variantTypeName = sdl.bulkUpdateProductVariantTypeImportInput.shape.variantTypeName.unwrap().unwrap();
const { categories, productVariantTypes, variants } = sdl.bulkUpdateProductsInput.shape;

// Members that the SDL does not have are sent by imports only.
const variant = sdl.bulkUpdateProductVariantInput.extend({
  images: sdl.bulkUpdateProductVariantInput.shape.images.unwrap().unwrap().superRefine(oneMainImage).nullish(),
  ...sdl.variantInput.pick({
    sellIfOutOfStock: true,
    unit: true,
    fileId: true,
    subscriptionPlanId: true,
    attributes: true,
  }).shape,
});

const product = sdl.bulkUpdateProductsInput.extend({
  variants: withElement(variants, variant),
  brand: sdl.bulkUpdateProductBrandInput.extend(productBrandInput.pick({ translations: true }).shape).nullish(),
  categories: withElement(categories, z.object({ name: categoryName.min(1, 'must have at least one name') })),
  productVariantTypes: withElement(
    productVariantTypes,
    sdl.bulkUpdateProductVariantTypeImportInput.extend({ variantTypeName }),
  ),
  /** Texts of categories that are created. */
  categoryTexts: z
    .array(categoryInput.pick({ description: true, translations: true }).extend({ name: categoryName }))
    .optional(),
  groupVariantsByVariantTypeName: variantTypeName.nullish(),
  ...sdl.productInput.pick({
    attributes: true,
    baseUnit: true,
    translations: true,
    releaseDate: true,
    productOptionSetId: true,
    productVolumeDiscountId: true,
    subscriptionPlanId: true,
    dynamicPriceListIds: true,
    hiddenSalesChannelIds: true,
    vendorId: true,
  }).shape,
});

export const bulkProductsInput = {
  entry: product,
  list: withElement(sdl.bulkUpdateProductsInputList, z.custom<BulkProductInput>()).max(
    MAX_BULK_PRODUCTS,
    `must have at most ${MAX_BULK_PRODUCTS} entries`,
  ),
};

export type BulkProductInput = z.output<typeof product>;
export type BulkVariantInput = BulkProductInput['variants'][number];
