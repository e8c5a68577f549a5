import { asMeasure } from '../../values/decimal.ts';
import type { ImportNotes, ReadVariant } from '../import/file-product.ts';
import type { NamedRecords } from '../line/named-records.ts';
import type { VariantLine } from '../line/product-line-input.ts';
import { CellError, parseBoolean, parseMeasure, quoted } from './cells.ts';
import type { CsvVariant } from './csv-variants.ts';
import { gallery, ownImages } from './images.ts';
import { pricesIn } from './prices.ts';
import type { SheetRow } from './sheet-row.ts';
import { isUntracked, stocksIn } from './stocks.ts';

const KILOGRAMS: ReadonlyMap<string, number> = new Map([
  ['kg', 1],
  ['g', 0.001],
  ['lb', 0.453_592_37],
  ['oz', 0.028_349_523_125],
]);
/**
 * Decimals of a weight in kilograms, down to a microgram, because pounds and ounces are not round numbers of kilograms.
 */
const WEIGHT_DIGITS = 9;

/** The variants of a product. `isPublished` is null if the file has no such column. */
export function readVariants(
  rows: readonly SheetRow[],
  variants: readonly CsvVariant[],
  isPublished: boolean | null,
  { records, notes }: { records: NamedRecords; notes: ImportNotes },
): ReadVariant[] {
  const wasPublished = variants.some(({ known }) => known?.row.isActive);
  return variants.map(({ row, key, variantValues, known }, index) => {
    // Without a column for single variants, those of a product that stays published may be inactive.
    const isKept = known && !row?.has('isActive') && isPublished === wasPublished;
    const published = isKept ? undefined : (isPublished ?? undefined);
    if (!row) return { known, line: { isActive: published, prices: [] } };
    const line: VariantLine = {
      ...row.variant,
      ...(isUntracked(row) && { sellIfOutOfStock: true }),
      sourceId: key,
      isActive: row.read('isActive', parseBoolean) ?? published,
      prices: pricesIn(row, records, known),
      ...(row.layout.options.length > 0 && { variantValues }),
      weight: row.variant.weight ?? weightIn(row),
      stocks: stocksIn(row, records, notes),
      images: index === 0 ? gallery(rows, known, records) : ownImages(row),
    };
    return { known, line: row.marked(line) };
  });
}

/** The weight of sheets that do not have it in grams. */
function weightIn(row: SheetRow): number | null | undefined {
  const unit = row.read('weightUnit', parseUnit) ?? 1;
  const weight = row.read('weight', parseMeasure);
  if (weight != null) return asMeasure(Number((weight * unit).toFixed(WEIGHT_DIGITS)));
  return row.has('grams', 'weight') ? null : undefined;
}

function parseUnit(cell: string): number {
  const factor = KILOGRAMS.get(cell.trim().toLowerCase());
  if (factor === undefined) throw new CellError(`must be kg, g, lb or oz, not ${quoted(cell)}`);
  return factor;
}
