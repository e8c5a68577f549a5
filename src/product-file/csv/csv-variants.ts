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

/**
 * Columns with values of variants, besides those of members (`ofVariant`), price lists and locations. The pictures are of
 * the first variant.
 */
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
  'image',
  'variantImage',
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
  const cannotIdentify = !hasOptions && !rows.some((row) => IDENTIFYING_COLUMNS.some((column) => row.text(column)));
  if (cannotIdentify && stored.length > 1) {
    rows.find((row) => !row.isEmpty('bundle'))?.refuse('bundle', `bundle: ${NO_VARIANT}`);
    reportLostValue(rows);
    const list = stored.map((known) => ({ key: known.id, variantValues: known.line.variantValues ?? [], known }));
    return { options: [], list };
  }
  // Our exports have a row without variant columns for a product without variants. In other files, and without columns of
  // options, the row of a product is its variant.
  const isOnlyVariant = !hasOptions && stored.length === 1;
  if (first.has('sourceId') && !isOnlyVariant && !rows.some(isVariantRow)) return { options: [], list: [] };
  const areLost = refuseLostOptions(rows);
  const options = optionsOf(first);
  const found = rows.filter((row) => row === first || isVariantRow(row));
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
  return { options: isBare ? [] : options, list };
}

/** Prices, counts and other values of rows that name no variant are lost. They are refused if the sheet could name it. */
function reportLostValue(rows: readonly SheetRow[]): void {
  const [first] = rows as [SheetRow];
  const { columns, variant, listPrices, inventories, titles } = first.layout;
  const others = VALUE_COLUMNS.flatMap((column) => columns.get(column) ?? []);
  const ofLists = [...listPrices.values()].flatMap((places) => [...places.values()]);
  const places = [...others, ...variant.map(({ place }) => place), ...ofLists, ...inventories.values()];
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
