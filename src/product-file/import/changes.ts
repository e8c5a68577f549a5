import { categoryPath } from '../line/category-path.ts';
import type { PortableProduct } from '../stored/portable-product.ts';
import type { PortableVariant } from '../stored/portable-variant.ts';
import type { ImportInput, ImportVariant } from './import-input.ts';
import { hasImages } from './requested-images.ts';

/** A member of a stored product that the file would change. */
export type Change = { member: string; stored: unknown; file: unknown };

export type Changes = {
  /** The input without pictures that are stored or requested already. */
  input: ImportInput;
  /** The members that the import would change. The list is empty if it would change nothing. */
  members: Change[];
  /** Whether the input changes the stock of a stored variant. */
  hasStock: boolean;
};

/** Members that are in the input only if they differ from the stored ones. */
const EXTRAS = [
  'baseUnit',
  'translations',
  'releaseDate',
  'productOptionSetId',
  'productVolumeDiscountId',
  'subscriptionPlanId',
  'dynamicPriceListIds',
  'salesChannelIds',
  'hiddenSalesChannelIds',
  'salesChannels',
  'attributes',
] as const;
const VARIANT_EXTRAS = ['unit', 'fileId', 'subscriptionPlanId', 'attributes'] as const;
const METADATA_EXTRAS = ['canonicals', 'disableIndex', 'redirectTo', 'metadataOverrides', 'translations'] as const;

/** Compares the input with the stored product. */
export function changes(
  input: ImportInput,
  stored: PortableProduct,
  merchantId: string,
  retryImages: boolean,
): Changes {
  const storedVariants = new Map(stored.variants.map((variant) => [variant.id, variant]));
  const variants = input.variants.map((variant) => {
    const own = storedVariants.get(variant.id ?? '');
    return own && variant.images && hasImages(merchantId, own, variant.images, retryImages)
      ? { ...variant, images: undefined }
      : variant;
  });
  const members = [...productDifferences(input, stored), ...variantDifferences(variants, stored.variants)];
  const hasStock = variants.some((variant) => {
    const own = storedVariants.get(variant.id ?? '');
    return own !== undefined && ofStocks('', variant, own).length > 0;
  });
  return { input: { ...input, variants } as ImportInput, members, hasStock };
}

function productDifferences(input: ImportInput, stored: PortableProduct): Change[] {
  const { metaData } = stored;
  const { metaData: sentMetaData } = input;
  return [
    ...(stored.deleted ? [{ member: 'deleted', stored: true, file: false }] : []),
    ...differs('name', input.name, stored.name),
    ...differs('type', input.type, stored.type),
    ...differs('brand', input.brand === undefined ? undefined : (input.brand?.name ?? null), stored.brand?.name),
    ...differs(
      'categories',
      input.categories.map(({ name }) => name),
      stored.categories.map(categoryPath),
    ),
    ...differs(
      'tags',
      input.tags?.map(({ name }) => name),
      stored.tags.map(({ name }) => name),
    ),
    ...differs(
      'productVariantTypes',
      input.productVariantTypes.map(typeOf),
      stored.variantTypes.map(({ name, order, values }) => [name, order, values.map((value) => value.name)]),
    ),
    ...differs('metaData.pageTitle', sentMetaData?.pageTitle, metaData?.pageTitle),
    ...differs('metaData.description', sentMetaData?.description, metaData?.description),
    ...METADATA_EXTRAS.flatMap((member) =>
      sentMember(`metaData.${member}`, sentMetaData?.[member], metaData?.[member]),
    ),
    ...differs('description', input.description, stored.description),
    ...differs('shortDescription', input.shortDescription, stored.shortDescription),
    ...differs('googleTaxonomyId', input.googleTaxonomyId, stored.googleTaxonomyId),
    ...differs('maxQuantityPerCart', input.maxQuantityPerCart, stored.maxQuantityPerCart),
    ...differs('vendorId', input.vendor, stored.vendorId),
    ...differs('weight', input.weight, stored.weight),
    ...differs('groupVariantsBy', input.groupVariantsByVariantTypeName, stored.groupVariantsBy?.name),
    ...EXTRAS.flatMap((member) => sentMember(member, input[member], stored[member])),
  ];
}

function typeOf({ order, variantTypeName, variantValues }: ImportInput['productVariantTypes'][number]) {
  return [variantTypeName, order, variantValues.map(({ name }) => name)];
}

function variantDifferences(sent: readonly ImportVariant[], stored: readonly PortableVariant[]): Change[] {
  const storedById = new Map(stored.map((variant) => [variant.id, variant]));
  const kept = sent.filter(({ id, deleted }) => !deleted && storedById.has(id ?? ''));
  const keptIds = new Set(kept.map(({ id }) => id));
  return [
    ...sent.flatMap((variant) => ofVariant(variant, storedById.get(variant.id ?? ''))),
    ...differs(
      'variants (order)',
      kept.map(({ id }) => id),
      stored.filter(({ id }) => keptIds.has(id)).map(({ id }) => id),
    ),
  ];
}

function ofVariant(sent: ImportVariant, stored: PortableVariant | undefined): Change[] {
  const at = `variants[${labelOf(sent, stored)}]`;
  if (!stored) return [{ member: at, stored: null, file: 'new' }];
  if (sent.deleted) return [{ member: at, stored: 'there', file: 'removed' }];
  const images = sent.images?.map(({ imageUrl }) => imageUrl);
  return [
    ...(images ? [{ member: `${at}.images`, stored: stored.images.map(({ url }) => url), file: images }] : []),
    ...differs(`${at}.isActive`, sent.isActive, stored.isActive),
    ...differs(`${at}.sku`, sent.sku, stored.sku),
    ...differs(`${at}.barcodeList`, sent.barcodeList ?? undefined, stored.barcodeList),
    ...differs(`${at}.weight`, sent.weight, stored.weight),
    ...differs(`${at}.hsCode`, sent.hsCode, stored.hsCode),
    ...differs(`${at}.sellIfOutOfStock`, sent.sellIfOutOfStock, stored.sellIfOutOfStock),
    ...differs(`${at}.variantValues`, sent.variantValues && valueNames(sent.variantValues), storedValueNames(stored)),
    ...sent.prices.flatMap((price) => ofPrice(at, price, stored)),
    ...ofStocks(at, sent, stored),
    ...VARIANT_EXTRAS.flatMap((member) => sentMember(`${at}.${member}`, sent[member], stored[member])),
  ];
}

function ofStocks(at: string, { stocks }: ImportVariant, stored: PortableVariant): Change[] {
  const counts = new Map(stored.stocks.map(({ stockLocationId, stockCount }) => [stockLocationId, stockCount]));
  return (stocks ?? []).flatMap(({ stockLocationId, stockCount }) =>
    differs(`${at}.stocks[${stockLocationId}]`, stockCount, counts.get(stockLocationId)),
  );
}

function labelOf({ variantValues, sku }: ImportVariant, stored: PortableVariant | undefined): string {
  const values = stored?.variantValues.map(({ name }) => name) ?? variantValues?.map((value) => value.variantValueName);
  return values?.join(' / ') || stored?.sku || sku || stored?.id || '';
}

/** The names of types and values, sorted, because variants with the same values in another order are equal. */
function valueNames(values: NonNullable<ImportVariant['variantValues']>): string[] {
  return values.map(({ variantTypeName, variantValueName }) => `${variantTypeName}: ${variantValueName}`).sort();
}

function storedValueNames({ variantValues }: PortableVariant): string[] {
  return variantValues.map(({ typeName, name }) => `${typeName}: ${name}`).sort();
}

function ofPrice(at: string, sent: ImportVariant['prices'][number], { prices }: PortableVariant): Change[] {
  const { priceListId = null, currencyCode } = sent;
  const row = prices.find((price) => price.priceListId === priceListId);
  const place = `${at}.prices[${priceListId ?? 'base'}]`;
  return [
    ...differs(`${place}.sellPrice`, sent.sellPrice, row?.sellPrice),
    ...differs(`${place}.discountPrice`, sent.discountPrice, row?.discountPrice),
    ...differs(`${place}.buyPrice`, sent.buyPrice, row?.buyPrice),
    ...differs(`${place}.currency`, currencyCode, row?.currency),
  ];
}

/** A member that is sent only if it differs. */
function sentMember(member: string, file: unknown, stored: unknown): Change[] {
  return file === undefined ? [] : [{ member, stored: stored ?? null, file }];
}

function differs(member: string, file: unknown, stored: unknown): Change[] {
  if (file === undefined || comparable(file) === comparable(stored)) return [];
  return [{ member, stored: stored ?? null, file }];
}

function comparable(value: unknown): string {
  return JSON.stringify(value ?? null);
}
