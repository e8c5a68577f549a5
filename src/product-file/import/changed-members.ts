import { isSame, isUnchanged } from '../../db/write/unchanged.ts';
import { withoutUndefined } from '../../field-input.ts';
import { withoutHost } from '../../product/stored/image-address.ts';
import { valueOrNull } from '../line/omission.ts';
import type { NamedRecords } from '../line/named-records.ts';
import type { BundleEntry, ImageLine, PriceLine, ProductLine, VariantLine } from '../line/product-line-input.ts';
import type { PortableVariant } from '../stored/portable-product.ts';
import { withUsedValues } from '../line/used-values.ts';
import { storedImages } from '../line/variant-line.ts';
import type { KnownProduct, KnownVariant, ReadProduct, ReadVariant } from './file-product.ts';
import { pricesInput } from './import-input.ts';

export type Changes = {
  /** The members of the file that differ from the stored ones. A new product has those that have a value. */
  product: Partial<ProductLine>;
  /** For each variant of the file. */
  variants: Partial<VariantLine>[];
  isChanged: boolean;
  /** Whether nothing but bundles differs from the stored product. */
  isOnlyBundles: boolean;
  /** Whether the stored product lacks nothing but bundles, which an import writes last. */
  isWithoutBundles: boolean;
  /** Whether the stock of a stored variant changes. */
  hasStock: boolean;
};

/** Compares a product of a file with the line that an export writes for the stored one. */
export function changedMembers(
  { line, variants }: ReadProduct,
  known: KnownProduct | undefined,
  records: NamedRecords,
  retryImages: boolean,
): Changes {
  // Texts are for records that are created. The handle and source ids identify, and times tell the age of the file. Only a
  // product that has no source id gets that of the file.
  const { handle: _handle, updatedAt: _at, stockUpdatedAt: _stockAt, sourceId: key, categoryTexts: _, ...given } = line;
  const categories = (list: ProductLine['categories']) => list?.filter(({ name }) => !records.isAutomatedPath(name));
  const storedTypes = known?.line.productVariantTypes ?? undefined;
  const types = withUsedTypes(given.productVariantTypes, variants, storedTypes);
  const knownTypes = withUsedTypes(storedTypes, known?.variants ?? [], storedTypes);
  const sourceId = known?.product.stored.row.sourceId === null ? key : undefined;
  const knownCategories = categories(known?.line.categories);
  const product = changed(
    {
      ...given,
      sourceId,
      categories: asInShop(categories(given.categories), knownCategories),
      productVariantTypes: types,
    },
    { ...known?.line, categories: knownCategories, productVariantTypes: knownTypes },
  );
  const ofVariants = variants.map((variant) => changesOfVariant(variant, records, retryImages));
  const names = [product, ...ofVariants].flatMap((members) => Object.keys(members));
  const isSame = known !== undefined && !known.product.stored.row.deleted && isSameList(variants, known);
  const isOnlyBundles = isSame && names.every((name) => name === 'bundle');
  return {
    product,
    variants: ofVariants,
    isChanged: !isSame || names.length > 0,
    isOnlyBundles,
    isWithoutBundles:
      isOnlyBundles &&
      ofVariants.every(({ bundle }, index) => bundle === undefined || variants[index]!.known?.line.bundle == null),
    hasStock: ofVariants.some(({ stocks }, index) => variants[index]!.known && stocks !== undefined),
  };
}

/** The categories of the file. The shop may have one category where the file has two with the same path. */
function asInShop(categories: ProductLine['categories'], known: ProductLine['categories']): ProductLine['categories'] {
  const distinct = categories && [...new Map(categories.map((path) => [JSON.stringify(path), path])).values()];
  return isSame(distinct, known) ? distinct : categories;
}

/** The variant types with the values that the variants will have. */
function withUsedTypes(
  types: ProductLine['productVariantTypes'],
  variants: readonly { line: VariantLine; known?: KnownVariant | undefined }[],
  stored: ProductLine['productVariantTypes'],
): ProductLine['productVariantTypes'] {
  const used = variants.flatMap(({ line, known }) => line.variantValues ?? known?.line.variantValues ?? []);
  return types && withUsedValues(types, used, stored ?? []);
}

/** Whether the file has the stored variants, in their order. */
function isSameList(variants: readonly ReadVariant[], known: KnownProduct): boolean {
  const isSame = variants.every((variant, index) => variant.known && variant.known === known.variants[index]);
  return isSame && variants.length === known.variants.length;
}

function changesOfVariant(
  { line, known }: ReadVariant,
  records: NamedRecords,
  retryImages: boolean,
): Partial<VariantLine> {
  const { sourceId: _key, prices, stocks, images, ...given } = line;
  if (!known) return changed(line, {});
  const isPriced = hasRows(
    storedPrices(prices, known, records),
    known.row.prices ?? [],
    ({ priceListId }) => priceListId,
  );
  const isCounted = hasRows(stocks ?? [], known.line.stocks ?? [], ({ stockLocation }) => stockLocation);
  const bundle = given.bundle && withStoredKeys(withStoredLimits(given.bundle, known.line.bundle), records);
  return {
    ...changed({ ...given, bundle }, known.line),
    ...(!isPriced && { prices }),
    ...(!isCounted && { stocks }),
    ...(images && !hasImages(records.merchantId, known, images, retryImages) && { images }),
  };
}

/** Limits that the file does not have stay as they are. */
function withStoredLimits(bundle: BundleEntry, stored: BundleEntry | null | undefined): BundleEntry {
  const { maxBundleQuantity = stored?.maxBundleQuantity ?? null } = bundle;
  const { minBundleQuantity = stored?.minBundleQuantity ?? null } = bundle;
  return { ...bundle, maxBundleQuantity, minBundleQuantity };
}

/** The bundle of the file with the handles and keys that an export writes for products and variants of stored bundles. */
function withStoredKeys(bundle: BundleEntry, { bundled, bundledIds }: NamedRecords): BundleEntry {
  const withKeys = ({ variants, ...entry }: BundleEntry['products'][number]) => {
    const product = bundled.get(bundledIds.get(entry.product) ?? '');
    if (!product) return { ...entry, variants };
    const { handle, byFileKey } = product;
    return { ...entry, product: handle, variants: variants.map((key) => byFileKey.get(key)?.key ?? key) };
  };
  return { ...bundle, products: bundle.products.map(withKeys) };
}

/** The prices of the file as a save stores them. */
function storedPrices(prices: readonly PriceLine[], known: KnownVariant, records: NamedRecords) {
  const rows = pricesInput(prices, records).map(({ currencyCode: currency, ...price }) =>
    withoutUndefined({ ...price, currency }),
  );
  return records.storablePrices(rows, known.row.prices);
}

/** Rows that the file does not have stay. */
function hasRows<Row extends object>(
  rows: readonly Row[],
  known: readonly Row[],
  keyOf: (row: Row) => string | null | undefined,
): boolean {
  const byKey = new Map(known.map((row) => [keyOf(row) ?? null, row]));
  return rows.every((row) => isUnchanged(row, byKey.get(keyOf(row) ?? null) ?? ({} as Row)));
}

/** The members that are given and differ. Members that are missing in the file stay. */
function changed<Line extends object>(given: Line, known: Partial<Line>): Partial<Line> {
  const changes: Record<string, unknown> = {};
  const stored = new Map(Object.entries(known));
  for (const [name, value] of Object.entries(given)) {
    const other = stored.get(name);
    // Most members of most products are null or the same text, so they are not compared further.
    if (value === undefined || (value ?? null) === (other ?? null)) continue;
    if (!isUnchanged({ value: comparable(name, value) }, { value: comparable(name, other) })) changes[name] = value;
  }
  return changes as Partial<Line>;
}

/** Without texts and colors, which only new records get. A variant with the same values in another order is the same. */
function comparable(name: string, value: unknown): unknown {
  switch (name) {
    case 'tags':
      return valueOrNull([...new Set((value as ProductLine['tags'])?.map(({ name }) => name))]);
    case 'brand':
      return (value as ProductLine['brand'])?.name ?? null;
    case 'productVariantTypes':
      return valueOrNull(
        (value as ProductLine['productVariantTypes'])?.map(({ variantValues, ...type }) => ({
          ...type,
          values: variantValues.map(({ name }) => name),
        })),
      );
    case 'releaseDate':
      return value == null ? null : Date.parse(value as string);
    case 'attributes':
      // The shop's attribute of this name may have another type.
      return valueOrNull(
        (value as ProductLine['attributes'])?.map(({ attribute, option, value }) => ({ attribute, option, value })),
      );
    case 'variantValues':
      return valueOrNull(
        (value as VariantLine['variantValues'])
          ?.map(({ variantTypeName, variantValueName }) => JSON.stringify([variantTypeName, variantValueName]))
          .sort(),
      );
    default:
      return valueOrNull(value);
  }
}

type Images = readonly ImageLine[];
type Placed = { url: string; isMain: boolean };

/**
 * True if the pictures are stored or requested already, and no other picture of the variant was fetched from an
 * address. Failed pictures are requested again with `retryImages`.
 */
function hasImages(
  merchantId: string,
  { row, requestedImages }: PortableVariant,
  sent: Images,
  retryImages: boolean,
): boolean {
  const images = storedImages(merchantId, row);
  const wanted = sent.map((image) => ({ ...image, imageUrl: withoutHost(merchantId, image.imageUrl) }));
  const coming = requestedImages.filter(({ state }) => state === 'PENDING');
  const known = new Set([...images, ...(retryImages ? coming : requestedImages)].map(imageKey));
  const urls = new Set(wanted.map(({ imageUrl }) => imageUrl));
  return (
    wanted.every(({ imageUrl, ...image }) => known.has(imageKey({ url: imageUrl, ...image }))) &&
    [...images, ...coming].every(({ url }) => isUploaded(url) || urls.has(url)) &&
    hasMain(images, coming, wanted)
  );
}

/**
 * While the wanted main picture is missing, the service makes another one the main picture. An uploaded picture that
 * the file does not have stays.
 */
function hasMain(images: readonly Placed[], coming: readonly Placed[], wanted: Images): boolean {
  const main = wanted.find(({ isMain }) => isMain)?.imageUrl;
  const isRight = ({ url, isMain }: Placed): boolean => !isMain || url === main;
  return coming.every(isRight) && (images.every(isRight) || images.every(({ url }) => url !== main));
}

/** Uploaded pictures have a path in this service instead of an address. */
function isUploaded(url: string): boolean {
  return url.startsWith('/');
}

function imageKey({ url, isVideo, order }: { url: string; isVideo?: boolean | null; order: number }): string {
  return JSON.stringify([url, isVideo ?? false, order]);
}
