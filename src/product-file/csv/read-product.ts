import { productTypes } from '../../../drizzle/product.ts';
import { normalizedName } from '../../field-input.ts';
import type { KnownProduct, ReadProduct } from '../import/file-product.ts';
import {
  colorsShape,
  type ProductLine,
  textsShape,
  type TypeLine,
  type ValueLine,
} from '../line/product-line-input.ts';
import { CellError, parseBoolean, parseVariantTypes, quoted, repeatedValues } from './cells.ts';
import { parseValue } from './codecs.ts';
import { csvVariants, type CsvVariants } from './csv-variants.ts';
import { shownTypes } from './options.ts';
import type { Layout } from './layout.ts';
import type { CsvProduct } from './read-csv.ts';
import type { CsvRow } from './text/read-csv-rows.ts';
import { readVariants } from './read-variants.ts';
import type { Colors, ParsedCells, RowReader } from './row-reader.ts';
import type { Sheet } from './stocks.ts';

type ProductType = (typeof productTypes)[number];

/** The line of a product. Some columns mean something only together with the stored product. */
export function readProduct(
  product: CsvProduct,
  cells: ParsedCells,
  known: KnownProduct | undefined,
  sheet: Sheet,
): ReadProduct {
  const { layout, reader } = sheet;
  const { handle, rows } = product;
  const [first] = rows as [CsvRow];
  const variants = csvVariants(product, layout, reader, known);
  return {
    line: {
      handle,
      ...cells.product,
      name:
        reader.read(first, 'title', normalizedName) ?? known?.product.stored.row.name ?? withoutTitle(product, reader),
      type: productType(rows, reader, known),
      brand: brandIn(first, reader),
      productVariantTypes: variantTypes(first, variants, known, { ...sheet, colors: cells.colors }),
    },
    variants: readVariants(rows, { ...variants, cells: cells.variants }, isPublished(first, reader), sheet),
  };
}

function brandIn(row: CsvRow, { read }: RowReader): ProductLine['brand'] {
  const texts = (cell: string) => parseValue(cell, textsShape) as Omit<NonNullable<ProductLine['brand']>, 'name'>;
  return read(row, 'vendor', (cell) => ({ name: normalizedName(cell), ...read(row, 'brandTexts', texts) }));
}

/** The handle stands for the title that is missing, so that the rest can be checked. */
function withoutTitle({ rows, handle }: CsvProduct, { refuse }: RowReader): string {
  refuse(rows[0]!, 'title', 'has no Title');
  return handle;
}

/** Shopify's format only says whether a product is shipped (PHYSICAL) or not (DIGITAL). Other stored types stay. */
function productType(rows: readonly CsvRow[], { text, read }: RowReader, known: KnownProduct | undefined): ProductType {
  const own = read(rows[0]!, 'productType', parseProductType);
  if (own) return own;
  const said = rows.flatMap((row) => read(row, 'requiresShipping', parseBoolean) ?? []);
  const isCard = read(rows[0]!, 'giftCard', parseBoolean) === true;
  const shown = isCard || (said.length > 0 && !said.includes(true)) ? 'DIGITAL' : 'PHYSICAL';
  if (!known) return shown;
  const { type } = known.product.stored.row;
  const isSaid = said.length > 0 || typeof text(rows[0]!, 'giftCard') === 'string';
  return isSaid && ['PHYSICAL', 'DIGITAL'].includes(type) ? shown : type;
}

function parseProductType(cell: string): ProductType {
  const type = productTypes.find((name) => name === cell.trim().toUpperCase());
  if (type) return type;
  throw new CellError(`must be one of ${productTypes.join(', ')}, not ${quoted(cell)}`);
}

/** True if published and active; null if the file has no such column. */
function isPublished(row: CsvRow, { has, read }: RowReader): boolean | null {
  if (!has('published', 'status')) return null;
  return (read(row, 'published', parseBoolean) ?? true) && (read(row, 'status', parseStatus) ?? true);
}

function parseStatus(cell: string): boolean {
  const status = cell.trim().toLowerCase();
  if (status === 'active' || status === 'unlisted') return true;
  if (status === 'draft' || status === 'archived') return false;
  throw new CellError(`must be active, draft, archived or unlisted, not ${quoted(cell)}`);
}

/**
 * The variant types of the column for them, with the values of new variants added. Without this column, the types
 * follow from the variants.
 */
function variantTypes(
  row: CsvRow,
  variants: CsvVariants,
  known: KnownProduct | undefined,
  { layout, reader, colors }: Sheet & { colors: Colors },
): ProductLine['productVariantTypes'] {
  const given = reader.read(row, 'variantTypes', parseVariantTypes);
  if (given) warnOfRepeated(row, layout, reader);
  if (!given && layout.options.length === 0 && known) return undefined;
  const shown = shownTypes(
    variants.optionNames,
    variants.list.map(({ variantValues }) => variantValues),
  );
  const types = given ? withValues(given, known ? newValues(variants) : []) : shown;
  return types.map(({ variantValues, ...type }) => ({
    ...type,
    variantValues: variantValues.map(({ name }) => {
      const colorCode = colorOf(colors, type.variantTypeName, name);
      return { name, ...(colorCode !== undefined && { colorCode }) };
    }),
  }));
}

/** The values are imported once. */
function warnOfRepeated(row: CsvRow, { columns, titles }: Layout, { read, warnings }: RowReader): void {
  const place = columns.get('variantTypes')!;
  for (const { type, value } of read(row, 'variantTypes', repeatedValues) ?? [])
    warnings.add(row, place, `${titles[place]} has the value ${quoted(value)} of ${quoted(type)} twice`);
}

/** The colors of option values, by the names of types and values. */
export function colorsIn(row: CsvRow, { read }: RowReader): Colors {
  return read(row, 'colors', (cell) => parseValue(cell, colorsShape) as Colors) ?? {};
}

/** A name may be that of a member of all objects, such as `constructor`. */
function colorOf(colors: Colors, type: string, value: string): string | undefined {
  const ofType = Object.hasOwn(colors, type) ? colors[type]! : {};
  return Object.hasOwn(ofType, value) ? ofType[value] : undefined;
}

function newValues({ list }: CsvVariants): ValueLine[] {
  return list.flatMap(({ known, variantValues }) => (known ? [] : variantValues));
}

function withValues(types: TypeLine[], added: ValueLine[]): TypeLine[] {
  return types.map(({ variantValues, ...type }) => {
    const names = added.flatMap(({ variantTypeName, variantValueName }) =>
      variantTypeName === type.variantTypeName ? [variantValueName] : [],
    );
    return {
      ...type,
      variantValues: [...new Set([...variantValues.map(({ name }) => name), ...names])].map((name) => ({ name })),
    };
  });
}
