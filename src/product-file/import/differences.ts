import type { PortableProduct, PortableVariant } from '../stored/portable-product.ts';
import { isUnchanged } from '../../db/write/unchanged.ts';
import { lineOf } from '../line/product-line.ts';
import { storedImages } from '../line/variant-line.ts';
import type { VariantLine } from '../line/product-line-input.ts';
import type { NamedRecords } from '../line/named-records.ts';

type Value = string | number | boolean | null | readonly string[];

/** A member that changes: its path with names instead of ids, as in `variants[tee-m].prices[Retail].sellPrice`. */
export type MemberDifference = { member: string; old: Value; new: Value };

/**
 * What an import does with a product. The shop has a newer state of products that are `KEPT` (`--keep newer`) or `SKIPPED`
 * (without `--keep`).
 */
export type ImportOutcome = 'WRITTEN' | 'KEPT' | 'SKIPPED';

/** What an import changes in a product, or what `--keep sheet` would change if it is kept or skipped. */
export type ProductDifference = {
  handle: string;
  name: string;
  change: 'CREATED' | 'UPDATED';
  outcome: ImportOutcome;
  /** Why the product is kept or skipped; null if it is written. */
  reason: string | null;
  members: MemberDifference[];
};

/** The members in which a product differs; a product that is not stored has none. Empty if it is the same. */
export function memberDifferences(
  before: PortableProduct | undefined,
  after: PortableProduct,
  records: NamedRecords,
): MemberDifference[] {
  const labels = labelsOf([...(before?.variants ?? []), ...after.variants]);
  const old = before ? membersOf(before, labels, records) : new Map<string, Value>();
  const current = membersOf(after, labels, records);
  return [...new Set([...old.keys(), ...current.keys()])].flatMap((member) => {
    const pair = { member, old: old.get(member) ?? null, new: current.get(member) ?? null };
    return isUnchanged({ value: pair.new }, { value: pair.old }) ? [] : [pair];
  });
}

/** The labels of the variants by their ids. Variants without a sku are told apart by their values. */
function labelsOf(variants: readonly PortableVariant[]): ReadonlyMap<string, string> {
  return new Map(
    variants.map(({ id, sku, variantValues }) => [id, sku ?? variantValues.map(({ name }) => name).join(' / ')]),
  );
}

type Add = (path: string, values: object) => void;

/** Members that have a value, by their paths. */
function membersOf(
  product: PortableProduct,
  labels: ReadonlyMap<string, string>,
  records: NamedRecords,
): Map<string, Value> {
  const { metaData, stored } = product;
  const { sourceId, deleted } = stored.row;
  const { handle: _handle, updatedAt: _at, stockUpdatedAt: _stockAt, ...members } = lineOf(product, records);
  const { brand, categories, tags, productVariantTypes, pageTitle, pageDescription, variants, ...plain } = members;
  const found = new Map<string, Value>();
  const add: Add = (path, values) => {
    for (const [name, value] of Object.entries(values))
      if (hasContent(value)) found.set(`${path}${name}`, valueOf(value));
  };
  add('', {
    ...plain,
    sourceId,
    deleted,
    brand: brand?.name,
    categories: categories.map(({ name }) => name.join(' > ')),
    tags: tags.map(({ name }) => name),
    variantTypes: productVariantTypes.map(
      ({ variantTypeName, variantValues }) => `${variantTypeName}: ${variantValues.map(({ name }) => name).join(', ')}`,
    ),
  });
  add('metaData.', { slug: metaData?.slug, pageTitle, description: pageDescription });
  for (const [index, variant] of product.variants.entries())
    addVariant(variant, variants[index]!, records, (path, values) =>
      add(`variants[${labels.get(variant.id)!}].${path}`, values),
    );
  return found;
}

function addVariant(stored: PortableVariant, line: VariantLine, records: NamedRecords, add: Add): void {
  const { prices, stocks = [], variantValues = [], ...plain } = line;
  const requested = stored.requestedImages.filter(({ state }) => state === 'PENDING');
  add('', {
    ...plain,
    sourceId: stored.sourceId,
    variantValues: variantValues.map(
      ({ variantTypeName, variantValueName }) => `${variantTypeName}: ${variantValueName}`,
    ),
    images: [...storedImages(records.merchantId, stored.row), ...requested].map(({ url }) => url),
  });
  for (const { priceList, currencyCode, ...price } of prices)
    add(`prices${labelled(priceList)}.`, { ...price, currency: currencyCode });
  const defaultLocation = records.locations.label(records.defaultLocationId ?? '');
  for (const { stockLocation, stockCount } of stocks)
    add('', { [`stocks${labelled(stockLocation === defaultLocation ? null : stockLocation)}`]: stockCount });
}

/** The label in brackets, or nothing for what has no name in a file: the base price, and the oldest stock location. */
function labelled(label: string | null | undefined): string {
  return label ? `[${label}]` : '';
}

function valueOf(value: unknown): Value {
  const isTexts = Array.isArray(value) && value.every((entry) => typeof entry === 'string');
  return typeof value === 'object' && !isTexts ? JSON.stringify(value) : (value as Value);
}

function hasContent(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}
