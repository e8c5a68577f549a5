import { asMeasure } from '../../values/decimal.ts';
import { normalizedName } from '../../field-input.ts';
import { type KnownVariant, ProductError, type ReadVariant } from '../import/file-product.ts';
import { type ImageLine, type PriceLine, type VariantLine } from '../line/product-line-input.ts';
import { CellError, parseAmount, parseBoolean, parseImages, parseMeasure, quoted } from './cells.ts';
import type { CsvVariant } from './csv-variants.ts';
import type { PriceColumn } from './layout.ts';
import type { CsvRow } from './read-csv-rows.ts';
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

function pricesIn(row: CsvRow, sheet: Sheet, known: KnownVariant | undefined): PriceLine[] {
  const { layout, reader, records } = sheet;
  const storedRow = (priceList: string | null) => known?.line.prices.find((price) => price.priceList === priceList);
  refuseWithoutPrice(row, sheet);
  const base = priceRow((column, parse) => reader.read(row, column, parse), storedRow(null));
  if (!base && !storedRow(null)) throw new ProductError(row.line, 'has no Variant Price');
  const listed = [...layout.listPrices].flatMap(([label, places]) => {
    const priceList = records.priceLists.normalized(label);
    if (priceList === undefined) return [];
    const readListed: ReadPrice = (column, parse) => {
      const place = places.get(column);
      return place === undefined ? undefined : reader.readAt(row, place, layout.titles[place]!, parse);
    };
    const price = priceRow(readListed, storedRow(priceList));
    return price ? [{ ...price, priceList }] : [];
  });
  return [...(base ? [{ ...base, priceList: null }] : []), ...listed];
}

const PRICE_MEMBERS = ['compareAtPrice', 'cost', 'discountPrice', 'currency'] as const;

/** The other members of a price cannot be written without the price, and would be lost. */
function refuseWithoutPrice({ line, cells }: CsvRow, { layout, records }: Sheet): void {
  const { columns, listPrices, titles } = layout;
  const known = [...listPrices].flatMap(([label, places]) => (records.priceLists.find(label) ? [places] : []));
  for (const places of [columns, ...known] as ReadonlyMap<PriceColumn, number>[]) {
    const isEmpty = (column: PriceColumn): boolean => (cells[places.get(column) ?? titles.length] ?? '').trim() === '';
    const member = PRICE_MEMBERS.find((column) => !isEmpty(column));
    if (member === undefined || !isEmpty('price')) continue;
    const price = places.get('price');
    const missing = price === undefined ? 'its price is missing' : `${titles[price]} is empty`;
    throw new ProductError(line, `${titles[places.get(member)!]} has a value, but ${missing}`);
  }
}

type ReadPrice = <Value>(column: PriceColumn, parse: (cell: string) => Value) => Value | null | undefined;

/**
 * The price is what shoppers pay. If the compare-at price is higher, it is the sell price and the price is the discount
 * price. Missing columns keep the stored values.
 */
function priceRow(read: ReadPrice, stored: PriceLine | undefined) {
  const price = read('price', parseAmount);
  if (price == null) return undefined;
  const compareAt = read('compareAtPrice', parseAmount);
  const compared = compareAt === undefined ? stored?.sellPrice : compareAt;
  const above = read('discountPrice', parseAmount) ?? undefined;
  const isReduced = compared != null && compared > price && (compareAt !== undefined || stored?.discountPrice != null);
  const cost = read('cost', parseAmount);
  const currency = read('currency', normalizedName);
  return {
    sellPrice: isReduced ? compared : price,
    discountPrice: isReduced ? price : (above ?? null),
    buyPrice: cost === undefined ? (stored?.buyPrice ?? null) : cost,
    currencyCode: currency === undefined ? (stored?.currencyCode ?? null) : currency,
  };
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

/** The product's pictures belong to its first variant. The product's own picture is the main one. */
function gallery(rows: readonly CsvRow[], { has, read }: RowReader): ImageLine[] | undefined {
  const own = read(rows[0]!, 'variantImage', trimmed) ?? undefined;
  const all = own === undefined ? undefined : parseImages(own);
  if (all) return all;
  if (!has('image')) return undefined;
  const placed = rows.flatMap((row) => {
    const url = read(row, 'image', trimmed);
    return url ? [{ url, position: read(row, 'imagePosition', parseMeasure) ?? null }] : [];
  });
  const pictures = placed.map(({ url, position }, index) => ({ url, order: position ?? index + 1 }));
  if (own && !pictures.some(({ url }) => url === own))
    pictures.push({ url: own, order: Math.max(0, ...pictures.map(({ order }) => order)) + 1 });
  const distinct = [...new Map(pictures.toReversed().map((picture) => [picture.url, picture])).values()].toReversed();
  const inOrder = distinct.toSorted((a, b) => a.order - b.order);
  const main = own ?? inOrder[0]?.url;
  return inOrder.map(({ url, order }) => ({ imageUrl: url, isMain: url === main, order }));
}

function ownImages(row: CsvRow, { has, read }: RowReader): ImageLine[] | undefined {
  if (!has('variantImage')) return undefined;
  const cell = read(row, 'variantImage', trimmed);
  if (!cell) return [];
  return parseImages(cell) ?? [{ imageUrl: cell, isMain: true, order: 1 }];
}

function trimmed(cell: string): string {
  return cell.trim();
}
