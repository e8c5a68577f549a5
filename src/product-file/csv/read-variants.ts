import { asMeasure } from '../../values/decimal.ts';
import type { ReadVariant } from '../import/file-product.ts';
import type { VariantLine } from '../line/product-line-input.ts';
import { CellError, parseBoolean, parseMeasure, quoted } from './cells.ts';
import type { CsvVariant } from './csv-variants.ts';
import { gallery, ownImages } from './images.ts';
import { pricesIn } from './prices.ts';
import type { CsvRow } from './text/read-csv-rows.ts';
import type { ParsedCells, RowReader } from './row-reader.ts';
import { type Sheet, stocksIn } from './stocks.ts';

const KILOGRAMS: Record<string, number> = { kg: 1, g: 0.001, lb: 0.453_592_37, oz: 0.028_349_523_125 };
/**
 * Decimals of a weight in kilograms, down to a microgram, because pounds and ounces are not round numbers of kilograms.
 */
const WEIGHT_DIGITS = 9;

/** The variants of a product. `isPublished` is null if the file has no such column. */
export function readVariants(
  rows: readonly CsvRow[],
  { list, cells }: { list: readonly CsvVariant[]; cells: ParsedCells['variants'] },
  isPublished: boolean | null,
  sheet: Sheet,
): ReadVariant[] {
  const published = isPublished ?? undefined;
  return list.map(({ row, key, variantValues, known }, index) => {
    if (!row) return { known, line: { isActive: published, prices: [] } };
    const { layout, reader } = sheet;
    const line: VariantLine = {
      ...cells.get(row),
      sourceId: key,
      isActive: reader.read(row, 'isActive', parseBoolean) ?? published,
      prices: pricesIn(row, sheet, known),
      ...(layout.options.length > 0 && { variantValues }),
      weight: weightIn(row, reader),
      stocks: stocksIn(row, sheet),
      images: index === 0 ? gallery(rows, reader) : ownImages(row, reader),
    };
    return { known, line };
  });
}

function weightIn(row: CsvRow, { has, read }: RowReader): number | null | undefined {
  const grams = read(row, 'grams', (cell) => parseMeasure(cell, -3));
  if (grams != null) return grams;
  const unit = read(row, 'weightUnit', parseUnit) ?? 1;
  const weight = read(row, 'weight', parseMeasure);
  if (weight != null) return asMeasure(Number((weight * unit).toFixed(WEIGHT_DIGITS)));
  return has('grams', 'weight') ? null : undefined;
}

function parseUnit(cell: string): number {
  const factor = KILOGRAMS[cell.trim().toLowerCase()];
  if (factor === undefined) throw new CellError(`must be kg, g, lb or oz, not ${quoted(cell)}`);
  return factor;
}
