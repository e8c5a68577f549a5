import type { PortableProduct } from '../portable/portable-product.ts';
import type { PortableVariant } from '../portable/portable-variant.ts';
import { type BulkInput, type BulkVariantInput, categoryPath } from './bulk-input.ts';

/**
 * The input without pictures that are stored or requested already; null if it changes nothing. Failed pictures are
 * requested again with `retryImages`.
 */
export function changes(input: BulkInput, stored: PortableProduct, retryImages: boolean): BulkInput | null {
  const storedVariants = new Map(stored.variants.map((variant) => [variant.id, variant]));
  const variants = input.variants.map((variant) => {
    const own = storedVariants.get(variant.id ?? '');
    return own && variant.images && hasImages(own, variant.images, retryImages)
      ? { ...variant, images: undefined }
      : variant;
  });
  const isSame =
    !stored.deleted &&
    sameMembers(input, stored) &&
    variants.length === stored.variants.length &&
    variants.every(
      (variant, index) => variant.id === stored.variants[index]!.id && sameVariant(variant, stored.variants[index]!),
    );
  return isSame ? null : { ...input, variants };
}

function sameMembers(input: BulkInput, stored: PortableProduct): boolean {
  const { metaData } = stored;
  return (
    input.name === stored.name &&
    input.type === stored.type &&
    (input.brand === undefined || sameText(input.brand?.name, stored.brand)) &&
    sameList(
      input.categories.map(({ name }) => name),
      stored.categories.map(categoryPath),
    ) &&
    (input.tags == null ||
      sameList(
        input.tags.map(({ name }) => name),
        stored.tags.map(({ name }) => name),
      )) &&
    sameList(
      input.productVariantTypes.map(typeOf),
      stored.variantTypes.map(({ name, order, values }) => [name, order, values.map((value) => value.name)]),
    ) &&
    unsentOr(input.metaData?.pageTitle, metaData?.pageTitle) &&
    unsentOr(input.metaData?.description, metaData?.description) &&
    unsentOr(input.description, stored.description) &&
    unsentOr(input.shortDescription, stored.shortDescription) &&
    unsentOr(input.googleTaxonomyId, stored.googleTaxonomyId) &&
    unsentOr(input.maxQuantityPerCart, stored.maxQuantityPerCart) &&
    unsentOr(input.vendor, stored.vendorId) &&
    unsentOr(input.weight, stored.weight)
  );
}

function typeOf({ order, variantTypeName, variantValues }: BulkInput['productVariantTypes'][number]) {
  return [variantTypeName, order, variantValues.map(({ name }) => name)];
}

function sameVariant(input: BulkVariantInput, stored: PortableVariant): boolean {
  return (
    !input.deleted &&
    input.images === undefined &&
    input.isActive === stored.isActive &&
    unsentOr(input.sku, stored.sku) &&
    (input.barcodeList == null || sameList(input.barcodeList, stored.barcodeList)) &&
    unsentOr(input.weight, stored.weight) &&
    unsentOr(input.hsCode, stored.hsCode) &&
    unsentOr(input.sellIfOutOfStock, stored.sellIfOutOfStock) &&
    (input.variantValues == null || sameValues(input.variantValues, stored.variantValues)) &&
    input.prices.every((price) => samePrice(price, stored)) &&
    (input.stocks ?? []).every(({ stockLocationId, stockCount }) =>
      stored.stocks.some((stock) => stock.stockLocationId === stockLocationId && stock.stockCount === stockCount),
    )
  );
}

/** Compares without order. */
function sameValues(
  input: NonNullable<BulkVariantInput['variantValues']>,
  stored: PortableVariant['variantValues'],
): boolean {
  const sent = input.map(({ variantTypeName, variantValueName }) =>
    JSON.stringify([variantTypeName, variantValueName]),
  );
  return sameList(sent.sort(), stored.map(({ typeName, name }) => JSON.stringify([typeName, name])).sort());
}

function samePrice(input: BulkVariantInput['prices'][number], { prices }: PortableVariant): boolean {
  const row = prices.find(({ priceListId }) => priceListId === (input.priceListId ?? null));
  if (!row) return false;
  const { sellPrice, discountPrice, buyPrice, currency } = row;
  return sameList(
    [input.sellPrice, input.discountPrice, input.buyPrice, input.currencyCode],
    [sellPrice, discountPrice, buyPrice, currency],
  );
}

type Images = NonNullable<BulkVariantInput['images']>;

/** True if the pictures are stored or requested already, and no other picture of the variant has a URL. */
function hasImages({ images, requestedImages }: PortableVariant, wanted: Images, retryImages: boolean): boolean {
  const coming = requestedImages.filter(({ state }) => state === 'PENDING');
  const known = [...images, ...(retryImages ? coming : requestedImages)].map(imageKey);
  const urls = new Set(wanted.map(({ imageUrl }) => imageUrl));
  return (
    wanted.every(({ imageUrl, ...image }) => known.includes(imageKey({ url: imageUrl, ...image }))) &&
    [...images, ...coming].every(({ url }) => urls.has(url!)) &&
    hasMain(images, coming, wanted)
  );
}

/**
 * While the wanted main picture is missing, the service makes another one the main picture. A picture without a URL was
 * uploaded by hand.
 */
function hasMain(images: PortableVariant['images'], coming: PortableVariant['images'], wanted: Images): boolean {
  const main = wanted.find(({ isMain }) => isMain)?.imageUrl;
  const isRight = ({ url, isMain }: PortableVariant['images'][number]): boolean => !isMain || url === main;
  return coming.every(isRight) && (images.every(isRight) || images.every(({ url }) => url !== main));
}

function imageKey({ url, isVideo, order }: { url: string | null; isVideo?: boolean | null; order: number }): string {
  return JSON.stringify([url, isVideo ?? false, order]);
}

type Value = string | number | boolean | null | undefined;

function unsentOr(sent: Value, stored: Value): boolean {
  return sent === undefined || sameText(sent, stored);
}

function sameText(a: Value, b: Value): boolean {
  return shown(a) === shown(b);
}

/** Null and white space are the same as an empty cell. */
function shown(value: Value): Exclude<Value, null | undefined> {
  return typeof value === 'string' && value.trim() === '' ? '' : (value ?? '');
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
