import { z } from 'zod';
import { withElement } from '../../field-input.ts';
import * as sdl from '../generated/product-input.ts';

/** The SDL has the rules of single members; this file has those across entries of a list. */
export const variantInput = sdl.variantInput.extend({
  prices: sdl.variantInput.shape.prices.superRefine(oneBasePrice),
  images: sdl.variantInput.shape.images.unwrap().unwrap().superRefine(oneMainImage).nullish(),
});

export const productInput = sdl.productInput.extend({
  variants: withElement(sdl.productInput.shape.variants, variantInput),
});

/** 1,000 variants with 200 attributes each take 0.1 s. */
export const productInputWithVariants = {
  member: 'variants',
  entry: variantInput,
  input: productInput.extend({ variants: withElement(productInput.shape.variants, z.custom<VariantInput>()) }),
} as const;

export type ProductInput = z.output<typeof productInput>;
export type VariantInput = z.output<typeof variantInput>;

/**
 * Refuses two main images. A list without a main image is accepted: the first image in order becomes the main image.
 */
export function oneMainImage(
  images: readonly { isMain: boolean }[],
  context: z.RefinementCtx,
  path: readonly (string | number)[] = [],
): void {
  const second = images.findIndex(({ isMain }, index) => isMain && images.findIndex((image) => image.isMain) < index);
  if (second >= 0)
    context.addIssue({
      code: 'custom',
      path: [...path, second, 'isMain'],
      message: 'must be false: a variant has one main image',
    });
}

function oneBasePrice(rows: { priceListId?: string | null | undefined }[], context: z.RefinementCtx): void {
  const isBase = ({ priceListId }: { priceListId?: string | null | undefined }) =>
    priceListId === undefined || priceListId === null;
  const second = rows.findIndex((row, index) => isBase(row) && rows.findIndex(isBase) < index);
  if (second >= 0)
    context.addIssue({
      code: 'custom',
      path: [second, 'priceListId'],
      message: 'must name a price list: a variant has one base price',
    });
}
