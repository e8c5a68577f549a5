import { withoutUndefined } from '../../field-input.ts';
import type { BulkProductInput, BulkVariantInput } from '../../product/bulk/bulk-products-input.ts';
import { attributesInput } from '../line/attribute-entries.ts';
import {
  PAGE_MEMBERS,
  type PriceLine,
  type ProductLine,
  productMembers,
  type VariantLine,
  variantMembers,
} from '../line/product-line-input.ts';
import { hasRemovedValue } from '../stored/portable-product.ts';
import { LABEL_LISTS, type NamedRecords, type RecordLabels } from '../line/named-records.ts';
import { valueOrNull } from '../line/omission.ts';
import type { Changes } from './changed-members.ts';
import type { KnownProduct, ReadProduct, ReadVariant } from './file-product.ts';

const KINDS = { priceLists: 'price list', salesChannels: 'sales channel' };

type ImportVariant = Partial<BulkVariantInput> & Pick<BulkVariantInput, 'prices'>;

/** An entry of bulkUpdateProducts, with the members that only imports send. */
export type ImportInput = Omit<Partial<BulkProductInput>, 'variants' | 'releaseDate'> & {
  releaseDate?: number | null;
  variants: ImportVariant[];
};

/**
 * The entry of bulkUpdateProducts with the members that change. A file has all variants of a product, so stored
 * variants that it does not have are deleted. A deleted product or variant that it has is restored.
 */
export function importInput(
  { line, variants }: ReadProduct,
  changes: Changes,
  known: KnownProduct | undefined,
  records: NamedRecords,
): ImportInput {
  const { brand, tags, categories, productVariantTypes, releaseDate, groupVariantsBy, attributes, ...changed } =
    changes.product;
  const { salesChannelSettings } = changed;
  const kept = new Set(variants.map((variant) => variant.known?.id));
  const removed = (known?.variants ?? []).filter(({ id }) => !kept.has(id));
  return {
    ...own(changed, productMembers),
    ...(known ? { id: known.product.stored.row.id } : { sourceId: line.sourceId ?? line.handle }),
    deleted: false,
    ...withoutUndefined({
      brand,
      tags,
      // All of them, so that the place of a refused one is its place in the file.
      categories: categories && line.categories,
      productVariantTypes,
      categoryTexts: line.categoryTexts ?? undefined,
      metaData: metaDataInput(changed, known ? undefined : line.handle),
      releaseDate: releaseDate == null ? releaseDate : Date.parse(releaseDate),
      groupVariantsByVariantTypeName: groupVariantsBy,
      attributes:
        attributes === undefined
          ? undefined
          : attributesInput(attributes, known?.product.stored.row.attributes, records),
      ...Object.fromEntries(LABEL_LISTS.map(({ list, ids, kind }) => [ids, idsOf(changed[list], records[kind])])),
      salesChannels:
        salesChannelSettings === undefined
          ? undefined
          : (salesChannelSettings ?? []).map(({ salesChannel, ...settings }) => ({
              ...settings,
              id: records.salesChannels.find(salesChannel)!.id,
            })),
    }),
    variants: [
      ...variants.map((variant, index) =>
        known && !variant.known
          ? variantInput(variant, variant.line, records)
          : variantInput(variant, withValueOrder(variant, changes, changes.variants[index]!), records),
      ),
      ...removed.map(({ id }) => ({ id, prices: [], deleted: true })),
    ],
  } as ImportInput;
}

/**
 * A variant that a stored product does not have may be one of its deleted variants. Then `sent` has all members, also the
 * empty ones, so that none keeps its former value.
 */
function variantInput(
  { line, known }: ReadVariant,
  { prices, stocks, variantValues, images, attributes, ...sent }: Changes['variants'][number],
  records: NamedRecords,
): ImportVariant {
  return {
    ...own(sent, variantMembers),
    ...(known ? { id: known.id } : { sourceId: line.sourceId }),
    // One that the shop deletes while the import runs stays deleted.
    ...(known?.row.deleted !== false && { deleted: false }),
    // One that is restored may have been inactive.
    ...(!known && { isActive: line.isActive ?? true }),
    // All rows, so that the place of a refused one is its place in the file.
    prices: pricesInput(prices ?? [], records),
    ...withoutUndefined({
      stocks: stocks?.map(({ stockLocation, stockCount }) => ({
        // A name that is no location is refused like an unknown id.
        stockLocationId: records.locations.find(stockLocation)?.id ?? stockLocation,
        stockCount,
      })),
      variantValues,
      images,
      attributes: attributes === undefined ? undefined : attributesInput(attributes, known?.row.attributes, records),
    }),
  } as ImportVariant;
}

export function pricesInput(prices: readonly PriceLine[], { priceLists }: NamedRecords) {
  return prices.map(({ priceList, ...price }) => ({
    ...price,
    priceListId: priceList == null ? null : priceLists.find(priceList)!.id,
  }));
}

/**
 * Variants list their values in the order of the product's variant types, so they follow a new order. A variant with a
 * value that the file cannot name keeps its values.
 */
function withValueOrder(
  { line, known }: ReadVariant,
  { product }: Changes,
  changed: Changes['variants'][number],
): Changes['variants'][number] {
  const isKept = !product.productVariantTypes || (known && hasRemovedValue(known));
  return isKept ? changed : { ...changed, variantValues: line.variantValues };
}

/** The members that an entry has by the same names as a line. */
function own(changed: object, members: object): object {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(changed)) if (Object.hasOwn(members, name)) found[name] = value;
  return found;
}

/** A new product gets its handle as slug. */
function metaDataInput(changed: Partial<ProductLine>, slug: string | undefined): object | undefined {
  const given = Array.from(PAGE_MEMBERS, ([name, member]) => [member, changed[name]] as const);
  const metaData = withoutUndefined({ slug, ...Object.fromEntries(given) });
  return Object.keys(metaData).length === 0 ? undefined : metaData;
}

function idsOf(labels: readonly string[] | null | undefined, records: RecordLabels): string[] | undefined {
  return labels === undefined ? undefined : (labels ?? []).map((label) => records.find(label)!.id);
}

/**
 * The product with names as an export writes them: an id behind a name is enough to find a record. Names of price lists
 * and sales channels that the merchant does not have are reported and left out. Of a stored product, a list with such a name
 * stays as it is: a renamed sales channel would take all products of the file out of it.
 */
export function withKnownNames(
  { line, variants }: ReadProduct,
  { isStored, records, unknown }: { isStored: boolean; records: NamedRecords; unknown: Set<string> },
): ReadProduct {
  const known = (kind: keyof typeof KINDS, label: string): string[] => {
    const found = records[kind].normalized(label);
    if (found === undefined) unknown.add(`${KINDS[kind]} ${label}`);
    return found === undefined ? [] : [found];
  };
  const listOf = <Entry>(entries: readonly Entry[], found: Entry[]): Entry[] | null | undefined =>
    isStored && found.length < entries.length ? undefined : valueOrNull(found);
  const named = { ...line };
  for (const { list, kind } of LABEL_LISTS) {
    const labels = line[list];
    if (labels)
      named[list] = listOf(
        labels,
        labels.flatMap((label) => known(kind, label)),
      );
  }
  const settings = line.salesChannelSettings;
  if (settings)
    named.salesChannelSettings = listOf(
      settings,
      settings.flatMap((entry) =>
        known('salesChannels', entry.salesChannel).map((salesChannel) => ({ ...entry, salesChannel })),
      ),
    );
  const variantLine = ({ prices, stocks, ...own }: VariantLine): VariantLine => ({
    ...own,
    prices: prices.flatMap((price): PriceLine[] =>
      price.priceList == null
        ? [price]
        : known('priceLists', price.priceList).map((priceList) => ({ ...price, priceList })),
    ),
    stocks: stocks?.map(({ stockLocation, stockCount }) => ({
      stockLocation: records.locations.normalized(stockLocation) ?? stockLocation,
      stockCount,
    })),
  });
  return { line: named, variants: variants.map((variant) => ({ ...variant, line: variantLine(variant.line) })) };
}
