import { normalizedName } from '../../values/text.ts';
import { NO_VARIANT } from '../import/bundles.ts';
import type { KnownProduct, KnownVariant } from '../import/file-product.ts';
import { placeText } from '../import/skipped.ts';
import type { ValueLine } from '../line/product-line-input.ts';
import { findStoredVariants, identityOf } from '../line/variant-keys.ts';
import { parseKey, quoted } from './cells.ts';
import type { Column } from './columns.ts';
import { isWithoutOptions } from './options.ts';
import type { SheetRow } from './sheet-row.ts';

/** A row without any of these, and without options, only adds a picture. */
const VARIANT_COLUMNS: Column[] = [
  'sku',
  'grams',
  'weight',
  'inventory',
  'price',
  'compareAtPrice',
  'cost',
  'barcode',
  'variantSourceId',
];
/**
 * Columns that identify variants. If a product has values in none of them and the file has no options, its stored variants
 * stay: several as they are, and a single one is that of the first row.
 */
const IDENTIFYING_COLUMNS: Column[] = ['sku', 'variantSourceId'];

/** The pictures are of the first variant. */
const PICTURES: Column[] = ['image', 'variantImage'];
/** Columns with values of variants, besides those of members (`ofVariant`), price lists and locations. */
const VALUE_COLUMNS: Column[] = [
  'weight',
  'inventory',
  'price',
  'compareAtPrice',
  'cost',
  'discountPrice',
  'currency',
  'stockLocations',
  'isActive',
  ...PICTURES,
];

export type CsvVariant = {
  /** The row of the variant; missing if the file does not have the variant. */
  row?: SheetRow;
  key: string;
  variantValues: ValueLine[];
  known: KnownVariant | undefined;
};

/** An option of the product, and the column with its name. */
export type Option = { title: string; name: number; value: number };

export type CsvVariants = { options: Option[]; list: CsvVariant[] };

/** The variants of a product in the file, matched with the stored ones. */
export function csvVariants(rows: readonly SheetRow[], product: KnownProduct | undefined): CsvVariants {
  const [first] = rows as [SheetRow];
  const stored = product?.variants ?? [];
  const hasOptions = first.layout.options.length > 0;
  const cannotIdentify = !hasOptions && !rows.some(isNamed);
  const needNames = !hasOptions && stored.length > 1;
  if (cannotIdentify && needNames) {
    rows.find((row) => !row.isEmpty('bundle'))?.refuse('bundle', `bundle: ${NO_VARIANT}`);
    reportLostValues(rows, valuePlaces(first));
    return { options: [], list: stored.map(unnamed) };
  }
  // Our exports have a row without variant columns for a product without variants. In other files, and without columns of
  // options, the row of a product is its variant.
  const isOnlyVariant = !hasOptions && stored.length === 1;
  if (first.has('sourceId') && !isOnlyVariant && !rows.some(isVariantRow)) return { options: [], list: [] };
  const areLost = refuseLostOptions(rows);
  const options = optionsOf(first);
  const found = rows.filter(needNames ? isNamed : (row) => row === first || isVariantRow(row));
  const values = found.map((row) => valuesIn(row, options));
  const names = options.map(({ title }) => title);
  const isBare = first.isEmpty('variantTypes') && isWithoutOptions(names, values);
  const variants = found.map((row, index) => {
    const variantValues = isBare ? [] : values[index]!;
    const identity = identityOf({
      sourceId: row.read('variantSourceId', parseKey),
      sku: row.variant.sku,
      variantValues,
    });
    return { row, variantValues, identity };
  });
  distinguishRepeated(variants, areLost);
  const identities = variants.map(({ identity }) => identity);
  const matches = cannotIdentify && variants.length === 1 ? stored : findStoredVariants(identities, stored);
  const list = variants.map(({ identity, ...variant }, index) => ({
    ...variant,
    key: identity.key,
    known: matches[index],
  }));
  return { options: isBare ? [] : options, list: needNames ? withUnnamed(list, stored, rows) : list };
}

function isNamed(row: SheetRow): boolean {
  return IDENTIFYING_COLUMNS.some((column) => row.text(column));
}

function unnamed(known: KnownVariant): CsvVariant {
  return { key: known.id, variantValues: known.line.variantValues ?? [], known };
}

/**
 * The variants of rows with a source id or sku, and those in the shop that such a sheet cannot name, at their places. Rows
 * without both may have pictures, which belong to the first variant.
 */
function withUnnamed(
  list: readonly CsvVariant[],
  stored: readonly KnownVariant[],
  rows: readonly SheetRow[],
): CsvVariant[] {
  const [first] = rows as [SheetRow];
  const { columns } = first.layout;
  const named = new Set(list.map(({ known }) => known));
  const leading: CsvVariant[] = [];
  const behind = new Map<KnownVariant | undefined, CsvVariant[]>();
  let kept = leading;
  for (const known of stored)
    if (named.has(known)) behind.set(known, (kept = []));
    else if (!known.sku) kept.push(unnamed(known));
  const pictures = PICTURES.flatMap((column) => columns.get(column) ?? []);
  if (leading.length > 0) reportLostValues(rows, pictures);
  const values = valuePlaces(first).filter((place) => !pictures.includes(place));
  reportLostValues(
    rows.filter((row) => !isNamed(row)),
    values,
  );
  return [...leading, ...list.flatMap((variant) => [variant, ...(behind.get(variant.known) ?? [])])];
}

function valuePlaces({ layout: { columns, variant, listPrices, inventories } }: SheetRow): number[] {
  const others = VALUE_COLUMNS.flatMap((column) => columns.get(column) ?? []);
  const ofLists = [...listPrices.values()].flatMap((places) => [...places.values()]);
  return [...others, ...variant.map(({ place }) => place), ...ofLists, ...inventories.values()];
}

/** Prices, counts and other values of rows that name no variant are lost. They are refused if the sheet could name it. */
function reportLostValues(rows: readonly SheetRow[], places: readonly number[]): void {
  const [first] = rows;
  if (!first) return;
  const { titles } = first.layout;
  const isRefused = first.has(...IDENTIFYING_COLUMNS);
  for (const row of rows)
    for (const lost of places.filter((place) => !row.isEmpty(place))) {
      const reason = `${titles[lost]} has a value, but its variant cannot be told from the others: write its source id or sku`;
      if (isRefused) row.refuse(lost, reason);
      else row.warn(lost, reason);
    }
}

/** The options that the product's first row names. */
function optionsOf(first: SheetRow): Option[] {
  return first.layout.options.flatMap(({ name, value }) => {
    const title = first.read(name, normalizedName);
    return title == null ? [] : [{ title, name, value }];
  });
}

/**
 * The first row of a product names its options. What later rows have under no name or another name would be lost. True if
 * there is such a row.
 */
function refuseLostOptions(rows: readonly SheetRow[]): boolean {
  const [first] = rows as [SheetRow];
  const { options, titles } = first.layout;
  let areLost = false;
  for (const { name, value } of options) {
    const own = first.read(name, normalizedName);
    const inFirst = `${own == null ? 'empty' : quoted(own)} in the first row of the product`;
    for (const row of rows) {
      const [given, other] = [row.read(value, normalizedName), row.read(name, normalizedName)];
      const isUnnamed = given != null && own == null;
      const isOther = other != null && other !== own;
      if (isUnnamed)
        row.refuse(value, `${titles[value]} has the value ${quoted(given)}, but ${titles[name]} is ${inFirst}`);
      if (isOther) row.refuse(name, `${titles[name]} is ${quoted(other)}, but ${inFirst}`);
      areLost ||= isUnnamed || isOther;
    }
  }
  return areLost;
}

function isVariantRow(row: SheetRow): boolean {
  return (
    VARIANT_COLUMNS.some((column) => row.text(column) != null) ||
    row.layout.options.some(({ value }) => row.read(value, normalizedName) != null)
  );
}

function valuesIn(row: SheetRow, options: readonly Option[]): ValueLine[] {
  return options.flatMap(({ title, value }) => {
    const name = row.read(value, normalizedName);
    return name == null ? [] : [row.marked({ variantTypeName: title, variantValueName: name }, value)];
  });
}

/**
 * Refused variants get other keys, because the service would refuse the same ones once more. Without the options that are
 * lost, variants may look the same.
 */
function distinguishRepeated(variants: { row: SheetRow; identity: { key: string } }[], areLost: boolean): void {
  const rows = new Map<string, SheetRow>();
  for (const { row, identity } of variants) {
    const earlier = rows.get(identity.key);
    if (!earlier) rows.set(identity.key, row);
    else {
      const reason = `is the same variant as ${placeText(earlier)}: options, or without them the SKU, have to differ`;
      if (!areLost) row.refuse(undefined, reason);
      identity.key += ` ${placeText(row)}`;
    }
  }
}
