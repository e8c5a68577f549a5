import { z } from 'zod';
import { notNull, withElement } from '../../field-input.ts';
import * as sdl from '../generated/product-input.ts';
import { productInput, variantInput } from './product-input.ts';

const { prices, images } = variantInput.shape;
const variantPatch = sdl.variantPatchInput.extend({
  prices: notNull(withElement(prices, sdl.productPricePatchInput)),
  images,
});

export const productPatchInput = sdl.productPatchInput.extend({
  variants: notNull(withElement(productInput.shape.variants, variantPatch)),
});

export const productPatchWithVariants = {
  member: 'variants',
  entry: variantPatch,
  input: productPatchInput.extend({
    variants: notNull(withElement(productInput.shape.variants, z.custom<VariantPatch>())),
  }),
} as const;

export type ProductPatch = z.output<typeof productPatchInput>;
export type VariantPatch = z.output<typeof variantPatch>;
