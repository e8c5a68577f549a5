import { normalizedName } from '../../values/text.ts';
import type { ImportNotes, KnownProduct, ReadProduct } from '../import/file-product.ts';
import { repeatedPlaces } from '../import/slips.ts';
import type { NamedRecords } from '../line/named-records.ts';
import { colorsShape, type ProductLine, textsShape, type TypeLine } from '../line/product-line-input.ts';
import { withUsedValues } from '../line/used-values.ts';
import { CellError, parseBoolean, parseVariantTypes, quoted } from './cells.ts';
import { parseValue } from './codecs.ts';
import { titleOf } from './columns.ts';
import { csvVariants, type CsvVariants } from './csv-variants.ts';
import { shownTypes } from './options.ts';
import { readVariants } from './read-variants.ts';
import type { SheetProduct, SheetRow } from './sheet-row.ts';

/** The colors of option values, by the names of types and values. */
type Colors = Record<string, Record<string, string>>;

/** The line of a product. Some columns mean something only together with the stored product. */
export function readProduct(
  { handle, rows }: SheetProduct,
  known: KnownProduct | undefined,
  context: { records: NamedRecords; notes: ImportNotes },
): ReadProduct {
  const [first] = rows as [SheetRow];
  const variants = csvVariants(rows, known);
  const members = first.product;
  // The handle stands for the title that is missing, so that the rest can be checked.
  if (members.name == null && !known) first.refuse('title', 'has no Title');
  return {
    line: {
      handle,
      ...members,
      name: members.name ?? known?.line.name ?? handle,
      type: members.type ?? productType(rows, known),
      brand: brandIn(first),
      productVariantTypes: variantTypes(first, variants, known),
    },
    variants: readVariants(rows, variants.list, isPublished(first), context),
  };
}

function brandIn(row: SheetRow): ProductLine['brand'] {
  const texts = (cell: string) => parseValue(cell, textsShape) as Omit<NonNullable<ProductLine['brand']>, 'name'>;
  return row.read('vendor', (cell) => ({ name: normalizedName(cell), ...row.read('brandTexts', texts) }));
}

/** Shopify's format only says whether a product is shipped (PHYSICAL) or not (DIGITAL). Other stored types stay. */
function productType(rows: readonly SheetRow[], known: KnownProduct | undefined): ProductLine['type'] {
  const [first] = rows as [SheetRow];
  const said = rows.flatMap((row) => row.read('requiresShipping', parseBoolean) ?? []);
  const isCard = first.read('giftCard', parseBoolean) === true;
  const shown = isCard || (said.length > 0 && !said.includes(true)) ? 'DIGITAL' : 'PHYSICAL';
  const isSaid = said.length > 0 || !first.isEmpty('giftCard');
  return !known || (isSaid && ['PHYSICAL', 'DIGITAL'].includes(known.line.type)) ? shown : known.line.type;
}

/** True if published and active; null if the file has no such column. */
function isPublished(row: SheetRow): boolean | null {
  if (!row.has('published', 'status')) return null;
  return (row.read('published', parseBoolean) ?? true) && (row.read('status', parseStatus) ?? true);
}

function parseStatus(cell: string): boolean {
  const status = cell.trim().toLowerCase();
  if (status === 'active' || status === 'unlisted') return true;
  if (status === 'draft' || status === 'archived') return false;
  throw new CellError(`must be active, draft, archived or unlisted, not ${quoted(cell)}`);
}

/** The variant types of the column for them, with the values in the rows. Without the column, they follow from these. */
function variantTypes(
  row: SheetRow,
  variants: CsvVariants,
  known: KnownProduct | undefined,
): ProductLine['productVariantTypes'] {
  const colors = colorsIn(row);
  const given = row.read('variantTypes', parseVariantTypes);
  if (given) warnOfRepeated(row, given);
  if (!given && row.layout.options.length === 0 && known) return undefined;
  const values = variants.list.map(({ variantValues }) => variantValues);
  const titles = variants.options.map(({ title }) => title);
  const types = given
    ? withUsedValues(given, values.flat(), known?.line.productVariantTypes ?? [])
    : shownTypes(titles, values);
  for (const { variantTypeName, variantValues } of types)
    for (const value of variantValues) {
      const colorCode = colorOf(colors, variantTypeName, value.name);
      if (colorCode !== undefined) value.colorCode = colorCode;
    }
  return types;
}

/** The values are imported once. */
function warnOfRepeated(row: SheetRow, types: readonly TypeLine[]): void {
  for (const { variantTypeName, variantValues } of types) {
    const names = variantValues.map(({ name }) => name);
    for (const place of repeatedPlaces(names))
      row.warn(
        'variantTypes',
        `${titleOf('variantTypes')} has the value ${quoted(names[place]!)} of ${quoted(variantTypeName)} twice`,
      );
  }
}

export function colorsIn(row: SheetRow): Colors {
  return row.read('colors', (cell) => parseValue(cell, colorsShape) as Colors) ?? {};
}

/** A name may be that of a member of all objects, such as `constructor`. */
function colorOf(colors: Colors, type: string, value: string): string | undefined {
  const ofType = Object.hasOwn(colors, type) ? colors[type]! : {};
  return Object.hasOwn(ofType, value) ? ofType[value] : undefined;
}
