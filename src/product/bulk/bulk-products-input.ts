import { z } from 'zod';
import { productBrandInput } from '../../brand/generated/brand-input.ts';
import { categoryInput } from '../../category/generated/category-input.ts';
import { distinct, list, withElement } from '../../field-input.ts';
import type { BulkUpdateProductsInput, BulkUpdateProductVariantInput } from '../../graphql/generated/types.ts';
import * as sdl from '../generated/product-input.ts';
import { namesUser } from '../../values/configured-url.ts';
import { oneMainImage } from '../input/product-input.ts';

const { name: categoryName } = sdl.bulkUpdateProductCategoryInput.shape;
const { name, type, categories, productVariantTypes } = sdl.bulkUpdateProductsInput.shape;

/**
 * Members of a product that a bulk request has by names, and those of variants that imports write later. `version`: an
 * import compares the versions of all its products at once.
 */
const {
  brandId: _brand,
  categoryIds: _categories,
  tagIds: _tags,
  groupVariantsByVariantTypeId: _grouping,
  version: _version,
  ...productMembers
} = sdl.productInput.shape;
const { variantValueIds: _values, bundleSettings: _bundle, ...variantMembers } = sdl.variantInput.shape;

const { prices, stocks } = sdl.bulkUpdateProductVariantInput.shape;

// Members that the SDL of a bulk request does not have are sent by imports only. Those that it requires, or of which it has a
// default, are left out by imports only: then the stored values stay.
const variant = sdl.bulkUpdateProductVariantInput.extend({
  ...variantMembers,
  ...sdl.bulkUpdateProductVariantInput.shape,
  isActive: z.boolean().optional(),
  // An import sends all rows of a variant if one changes. They may be more than one request of a client can send.
  prices: list(prices.element),
  stocks: list(stocks.unwrap().unwrap().element).superRefine(distinct('stockLocationId')).nullish(),
});

const members = sdl.bulkUpdateProductsInput.extend({
  ...productMembers,
  ...sdl.bulkUpdateProductsInput.shape,
  name: name.optional(),
  type: type.optional(),
  // An import also sends the variants that it deletes, so that there may be twice as many as a product may have.
  variants: list(variant).superRefine(distinct('id')).superRefine(distinct('sourceId')),
  brand: sdl.bulkUpdateProductBrandInput.extend(productBrandInput.pick({ translations: true }).shape).nullish(),
  categories: withElement(
    categories,
    z.object({ name: categoryName.min(1, 'must have at least one name') }),
  ).optional(),
  productVariantTypes: productVariantTypes.optional(),
  /** Texts of categories that are created. */
  categoryTexts: list(
    categoryInput.pick({ description: true, translations: true }).extend({ name: categoryName }),
  ).optional(),
  groupVariantsByVariantTypeName: sdl.bulkUpdateProductVariantTypeImportInput.shape.variantTypeName,
});

type Members = z.output<typeof members>;

/** The rules across members. */
function checkMembers({ productVariantTypes, variants }: Members, context: z.RefinementCtx): void {
  for (const [index, type] of (productVariantTypes ?? []).entries())
    if (type.variantTypeName == null && type.variantValues.length > 0)
      context.addIssue({
        code: 'custom',
        path: ['productVariantTypes', index, 'variantTypeName'],
        message: 'must name the type of the values',
      });
  for (const [index, variant] of variants.entries()) {
    const path = ['variants', index, 'images'];
    oneMainImage(variant.images ?? [], context, path);
    for (const [place, { imageUrl }] of (variant.images ?? []).entries())
      withoutPassword(imageUrl, context, [...path, place, 'imageUrl']);
  }
  for (const [type, { variantValues }] of (productVariantTypes ?? []).entries())
    for (const [value, { thumbnailImageUrl }] of variantValues.entries())
      withoutPassword(thumbnailImageUrl, context, [
        'productVariantTypes',
        type,
        'variantValues',
        value,
        'thumbnailImageUrl',
      ]);
}

/** Such an address is never fetched. It is refused at once, so that its password is not stored. */
function withoutPassword(url: string | null | undefined, context: z.RefinementCtx, path: (string | number)[]): void {
  if (url != null && namesUser(url))
    context.addIssue({ code: 'custom', path, message: 'must not contain a user name or a password' });
}

// They are checked beside other mistakes too, so that all are named at once. Not beside values of a wrong type, which they
// could not read, and not after a text with NUL, with which zod ends.
const product = members.superRefine(checkMembers, {
  when: ({ issues }) => !issues.some(({ code }) => code?.startsWith('invalid_')),
});

export const bulkProductsInput = {
  entry: product,
  list: withElement(sdl.bulkUpdateProductsInputList, z.custom<BulkProductInput>()),
};

/** What is ignored in an entry, because it deletes the product or a variant, is not checked either. */
export function withoutIgnored(entry: BulkUpdateProductsInput): object {
  const { id, sourceId, deleted, variants } = entry;
  if (deleted) return { id, sourceId: id == null ? sourceId : undefined, deleted, variants: [] };
  if (!variants.some(({ deleted }) => deleted)) return entry;
  return { ...entry, variants: variants.map((variant) => (variant.deleted ? deletionOf(variant) : variant)) };
}

/** The members that find the stored variant. */
function deletionOf({ id, sourceId, sku, variantValues, deleted }: BulkUpdateProductVariantInput): object {
  return { id, sourceId, sku, variantValues, deleted, prices: [] };
}

export type BulkProductInput = z.output<typeof product>;
export type BulkVariantInput = BulkProductInput['variants'][number];
