import { normalizedName } from '../../field-input.ts';
import { quoted } from './cells.ts';
import type { Column } from './columns.ts';
import type { Layout } from './layout.ts';
import { isWithoutOptions } from './options.ts';
import type { ValueLine } from '../line/product-line-input.ts';
import type { CsvRow } from './text/read-csv-rows.ts';
import type { CsvProduct } from './read-csv.ts';
import { NO_VARIANT } from '../import/bundles.ts';
import type { KnownProduct, KnownVariant } from '../import/file-product.ts';
import { findStoredVariants, identityOf } from '../line/variant-keys.ts';
import { placeText } from '../import/skipped.ts';
import type { RowReader } from './row-reader.ts';

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
 * Columns that identify variants. If a file has none of them and no options, the stored variants of a product that has
 * several stay as they are.
 */
const IDENTIFYING_COLUMNS: Column[] = ['sku', 'variantSourceId'];

export type CsvVariant = {
  /** The row of the variant; missing if the file does not have the variant. */
  row?: CsvRow;
  key: string;
  variantValues: ValueLine[];
  known: KnownVariant | undefined;
};

export type CsvVariants = { optionNames: string[]; list: CsvVariant[] };

/** The variants of a product in the file, matched with the stored ones. */
export function csvVariants(
  { rows }: CsvProduct,
  layout: Layout,
  reader: RowReader,
  product: KnownProduct | undefined,
): CsvVariants {
  const storedVariants = product?.variants ?? [];
  const cannotIdentify = layout.options.length === 0 && !reader.has(...IDENTIFYING_COLUMNS);
  if (cannotIdentify && storedVariants.length > 1) {
    const bundle = rows.find((row) => reader.text(row, 'bundle') != null);
    if (bundle) reader.refuse(bundle, 'bundle', NO_VARIANT);
    return { optionNames: [], list: storedVariants.map(asStored) };
  }
  // Our exports have a row without variant columns for a product without variants. In other files the row of a product
  // is its variant.
  const hasNone = reader.has('sourceId') && !rows.some((row) => isVariantRow(row, layout, reader));
  if (hasNone) return { optionNames: [], list: [] };
  const areLost = refuseLostOptions(rows, layout, reader);
  const options = optionsOf(rows[0]!, layout, reader);
  const found = rows
    .filter((row, index) => index === 0 || isVariantRow(row, layout, reader))
    .map((row) => ({ row, variantValues: valuesIn(row, options, reader) }));
  const names = options.map(({ name }) => name);
  const isBare =
    reader.text(rows[0]!, 'variantTypes') == null &&
    isWithoutOptions(
      names,
      found.map(({ variantValues }) => variantValues),
    );
  const keyedVariants = found.map(({ row, variantValues }) => keyed(row, isBare ? [] : variantValues, reader));
  // Without the options that are lost, variants may look the same.
  if (!areLost) refuseRepeated(keyedVariants, reader);
  distinguishRepeated(keyedVariants);
  const matches =
    cannotIdentify && keyedVariants.length === 1
      ? storedVariants
      : findStoredVariants(
          keyedVariants.map(({ identity }) => identity),
          storedVariants,
        );
  return {
    optionNames: isBare ? [] : names,
    list: keyedVariants.map((variant, index) => ({ ...variant, known: matches[index] })),
  };
}

function asStored(known: KnownVariant): CsvVariant {
  return { key: known.id, variantValues: known.line.variantValues ?? [], known };
}

type Option = { name: string; place: number };

/** The options in the product's first row. */
function optionsOf(row: CsvRow, { options }: Layout, { readAt }: RowReader): Option[] {
  return options.flatMap(({ name, value }) => {
    const title = readAt(row, name, 'Option Name', normalizedName);
    return title == null ? [] : [{ name: title, place: value }];
  });
}

/**
 * The first row of a product names its options. What later rows have under no name or another name would be lost. True if
 * there is such a row.
 */
function refuseLostOptions(
  rows: readonly CsvRow[],
  { options, titles }: Layout,
  { readAt, refuse }: RowReader,
): boolean {
  let areLost = false;
  for (const { name, value } of options) {
    const own = readAt(rows[0]!, name, titles[name]!, normalizedName);
    for (const row of rows) {
      const given = readAt(row, value, titles[value]!, normalizedName);
      const other = readAt(row, name, titles[name]!, normalizedName);
      if (given != null && own == null)
        refuse(
          row,
          value,
          `${titles[value]} has the value ${quoted(given)}, but ${titles[name]} is empty in the first row of the product`,
        );
      if (other != null && other !== own)
        refuse(
          row,
          name,
          `${titles[name]} is ${quoted(other)}, but ${own == null ? 'empty' : quoted(own)} in the first row of the product`,
        );
      areLost ||= (given != null && own == null) || (other != null && other !== own);
    }
  }
  return areLost;
}

export function isVariantRow(row: CsvRow, { options }: Layout, { text, readAt }: RowReader): boolean {
  return (
    VARIANT_COLUMNS.some((column) => text(row, column) != null) ||
    options.some(({ value }) => readAt(row, value, '', normalizedName) != null)
  );
}

function valuesIn(row: CsvRow, options: Option[], { readAt }: RowReader): ValueLine[] {
  return options.flatMap(({ name, place }) => {
    const value = readAt(row, place, 'Option Value', normalizedName);
    return value == null ? [] : [{ variantTypeName: name, variantValueName: value }];
  });
}

function keyed(row: CsvRow, variantValues: ValueLine[], { text }: RowReader) {
  const identity = identityOf({ sourceId: text(row, 'variantSourceId'), sku: text(row, 'sku'), variantValues });
  return { row, variantValues, identity, key: identity.key };
}

function refuseRepeated(variants: { row: CsvRow; key: string }[], { refuse }: RowReader): void {
  const rows = new Map<string, CsvRow>();
  for (const { row, key } of variants) {
    const earlier = rows.get(key);
    if (earlier)
      refuse(
        row,
        null,
        `is the same variant as ${placeText(earlier)}: options, or without them the SKU, have to differ`,
      );
    else rows.set(key, row);
  }
}

/** The service would refuse the keys of refused variants once more. */
function distinguishRepeated(variants: { row: CsvRow; key: string; identity: { key: string } }[]): void {
  const keys = new Set<string>();
  for (const variant of variants) {
    if (keys.has(variant.key)) variant.key = variant.identity.key = `${variant.key} ${placeText(variant.row)}`;
    keys.add(variant.key);
  }
}
