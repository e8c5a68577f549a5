import type { StoredAttributeValue, StoredBundle, StoredImage, StoredPrice } from '../../../drizzle/product-values.ts';
import { variant } from '../../../drizzle/product.ts';
import { newRowOf } from '../../db/write/saved-record.ts';
import { type InputPath, invalidAt } from '../../errors.ts';
import { withoutUndefined } from '../../field-input.ts';
import * as sdl from '../generated/product-input.ts';
import { productPriceInput, type ProductPriceInput } from '../generated/product-input.ts';
import type { VariantInput } from '../input/product-input.ts';
import type { VariantRow } from '../stored/stored-products.ts';
import type { VariantWrite } from '../stored/write-product-rows.ts';
import { everyMember, listStores, storedList, storedMembers, type Stores } from './stored-members.ts';
import { sortedImages, withMainImage } from './variant-images.ts';

const newVariant = newRowOf(variant);

const attributeValue = everyMember<sdl.ProductAttributeValueInput>(sdl.productAttributeValueInput);
const image = everyMember<sdl.ProductImageInput>(sdl.productImageInput);
const bundle = everyMember<sdl.BundleSettingsModelInput>(sdl.bundleSettingsModelInput);
const bundleProduct = everyMember<sdl.BundleProductModelInput>(sdl.bundleProductModelInput);
const STORES: Stores<VariantInput, VariantRow> = {
  ...listStores(variant),
  variantValueIds: storedValues,
  attributes: storedAttributes,
  bundleSettings: storedBundle,
};

/** The variant as it will be stored: members that were sent replace the stored ones. */
export function mergeVariant(input: VariantInput, stored: VariantRow | undefined, path: InputPath): VariantWrite {
  const { id: _id, images, prices: _prices, deleted, ...members } = input;
  const prices = mergePrices(stored?.prices ?? [], input.prices);
  if (prices[0]?.priceListId !== null) {
    throw invalidAt([...path, 'prices'], 'must have one row without priceListId, the base price');
  }
  const row = {
    ...(stored ?? newVariant()),
    ...storedMembers<typeof members, VariantRow>(members, STORES),
    ...(images === undefined ? {} : { images: mergeImages(stored?.images ?? [], images) }),
    prices,
    deleted: deleted ?? false,
  } as VariantRow;
  return { stored, row: variantColumns(row) };
}

/** Exactly one image is the main one: the first in order if the input marks none. */
function mergeImages(
  stored: readonly StoredImage[],
  sent: Exclude<VariantInput['images'], undefined>,
): StoredImage[] | null {
  const sourceUrls = new Map(stored.map(({ imageId, sourceUrl }) => [imageId, sourceUrl]));
  const images = storedList(sent, (entry) => ({ ...image(entry), sourceUrl: sourceUrls.get(entry.imageId) ?? null }));
  return images && withMainImage(sortedImages(images));
}

function storedValues(sent: sdl.VariantValueRelationInput[] | null): VariantRow['variantValueIds'] {
  const distinct = new Map(sent?.map((value) => [`${value.variantTypeId} ${value.variantValueId}`, value]));
  return storedList([...distinct.values()], (value) => value);
}

function storedBundle(sent: sdl.BundleSettingsModelInput | null): StoredBundle | null {
  return sent && { ...bundle(sent), products: sent.products.map(bundleProduct) };
}

export function storedAttributes(sent: sdl.ProductAttributeValueInput[] | null): StoredAttributeValue[] | null {
  return storedList(sent, attributeValue);
}

/** New and stored rows have the same members: one statement writes both. */
export function variantColumns({
  productId: _productId,
  position: _position,
  ...row
}: VariantRow): VariantWrite['row'] {
  return row;
}

export const storedPrice = everyMember<ProductPriceInput>(productPriceInput);

/**
 * The stored prices with the sent ones: a sent price replaces the stored price of the same price list. The base price
 * is first, the others are ordered by price list.
 */
export function mergePrices(stored: readonly StoredPrice[], sent: readonly ProductPriceInput[]): StoredPrice[] {
  const merged = [...stored];
  const places = new Map(merged.map(({ priceListId }, place) => [priceListId, place] as const).reverse());
  let isSorted = true;
  for (const price of sent.map(storedPrice)) {
    const place = places.get(price.priceListId) ?? merged.length;
    isSorted &&= place < merged.length || merged.length === 0;
    places.set(price.priceListId, place);
    merged[place] = price;
  }
  return isSorted ? merged : merged.sort(byPriceList);
}

/** The prices with the stored values of the members that they leave out. */
export function withStoredMembers<Price extends { priceListId?: string | null }>(
  prices: readonly Price[],
  stored: readonly StoredPrice[] | null | undefined,
): Price[] {
  const rows = rowsByPriceList(stored);
  return prices.map((price) => ({ ...rows.get(price.priceListId ?? null), ...withoutUndefined(price) }) as Price);
}

/** The first row of each price list: plain SQL can have stored several. */
export function rowsByPriceList(
  stored: readonly StoredPrice[] | null | undefined,
): ReadonlyMap<string | null, StoredPrice> {
  return new Map((stored ?? []).map((row) => [row.priceListId, row] as const).reverse());
}

/** The base price first, the others by price list. */
export function byPriceList(a: StoredPrice, b: StoredPrice): number {
  if (a.priceListId === b.priceListId) return 0;
  return (a.priceListId ?? '') < (b.priceListId ?? '') ? -1 : 1;
}
