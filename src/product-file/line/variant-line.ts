import type { StoredBundle } from '../../../drizzle/product-values.ts';
import { objectsOf } from '../../db/read/stored-list.ts';
import type { PortableVariant } from '../stored/portable-product.ts';
import { attributeEntries } from './attribute-entries.ts';
import { omitted, type OnOmission, valueOrNull } from './omission.ts';
import { type BundleEntry, type ImageLine, type VariantLine, variantMembers } from './product-line-input.ts';
import type { NamedRecords } from './named-records.ts';
import { storedKeys } from './variant-keys.ts';
import type { VariantRow } from '../../product/stored/stored-products.ts';
import { addressOf } from '../../product/stored/image-address.ts';

/** The variants of a stored product, each with a source id that is unique in the product. */
export function variantLines(
  variants: readonly PortableVariant[],
  records: NamedRecords,
  omit: OnOmission,
): VariantLine[] {
  const keys = storedKeys(variants);
  return variants.map((variant, index) => ({
    ...ownMembers<VariantLine, keyof typeof variantMembers>(variant.row, variantMembers),
    sourceId: keys[index]!,
    barcodeList: variant.row.barcodeList,
    prices: prices(variant.row, records),
    stocks: stocks(variant, records),
    variantValues: variant.variantValues.map(({ typeName, name }) => ({
      variantTypeName: typeName,
      variantValueName: name,
    })),
    images: images(variant, records),
    attributes: attributeEntries(variant.row.attributes, records, omit),
    bundle: variant.row.bundleSettings && bundleEntry(variant.row.bundleSettings, records, omit),
  }));
}

/** The values of members that a line has by their names and as they are stored. */
export function ownMembers<Line extends object, Name extends keyof Line & string>(
  stored: Record<Name, unknown>,
  members: Record<Name, unknown>,
): Pick<Line, Name> {
  const own: Partial<Record<Name, unknown>> = {};
  for (const name of Object.keys(members) as Name[]) own[name] = valueOrNull(stored[name]);
  return own as Pick<Line, Name>;
}

function prices(row: VariantRow, { priceLists }: NamedRecords): VariantLine['prices'] {
  return (row.prices ?? []).flatMap(({ priceListId, sellPrice, buyPrice, discountPrice, currency }) => {
    const priceList = priceListId === null ? null : priceLists.label(priceListId);
    return priceList === undefined ? [] : [{ priceList, sellPrice, buyPrice, discountPrice, currencyCode: currency }];
  });
}

function stocks(variant: PortableVariant, { locations }: NamedRecords): VariantLine['stocks'] {
  const counts = variant.stocks.flatMap(({ stockLocationId, stockCount }) => {
    const stockLocation = locations.label(stockLocationId);
    return stockLocation === undefined ? [] : [{ stockLocation, stockCount }];
  });
  return counts.toSorted((a, b) => (a.stockLocation < b.stockLocation ? -1 : 1));
}

/** Stored pictures, and requested ones that are pending or failed; each once. */
function images({ row, requestedImages }: PortableVariant, { merchantId, publicUrl }: NamedRecords): ImageLine[] {
  const images = storedImages(merchantId, row);
  const hasMain = images.some(({ isMain }) => isMain);
  const missing = requestedImages
    .filter(({ state }) => state !== 'DONE')
    .map((image) => ({ ...image, isMain: image.isMain && !hasMain }));
  const byUrl = new Map([...missing, ...images].map((image) => [image.url, image]));
  const all = [...byUrl].map(([url, { isMain, isVideo, order }]) => ({
    imageUrl: url.startsWith('/') ? publicUrl + url : url,
    isMain,
    isVideo: isVideo ?? false,
    order,
  }));
  return all.toSorted((a, b) => a.order - b.order || (a.imageUrl < b.imageUrl ? -1 : 1));
}

/** Images by the address they were fetched from; uploaded ones by their path in this service. */
export function storedImages(merchantId: string, { images }: VariantRow) {
  return (images ?? []).flatMap((image) => {
    const url = addressOf(merchantId, image);
    return url === null ? [] : [{ ...image, url }];
  });
}

function bundleEntry(bundle: StoredBundle, { bundled }: NamedRecords, omit: OnOmission): BundleEntry {
  const products = objectsOf<StoredBundle['products'][number]>(bundle.products).flatMap(
    ({ productId, filteredVariantIds, ...settings }) => {
      const product = bundled.get(productId);
      if (!product) return omitted(omit, 'bundleSettings');
      const keys = new Map(product.variants.map(({ id, key }) => [id, key]));
      const ids = Array.isArray(filteredVariantIds) ? filteredVariantIds : [];
      const variants = ids.flatMap((id) => keys.get(id) ?? omitted(omit, 'bundleSettings'));
      return [{ ...settings, product: product.handle, variants }];
    },
  );
  return { ...bundle, products };
}
