import { normalizedName } from '../../field-input.ts';
import type { KnownVariant } from '../import/file-product.ts';
import type { PriceLine, VariantLine } from '../line/product-line-input.ts';
import { parseAmount, printDecimal } from './cells.ts';
import type { Layout, PriceColumn } from './layout.ts';
import type { CsvRow } from './text/read-csv-rows.ts';
import type { Sheet } from './stocks.ts';

/** Writes the prices of a variant into its row: the base price, and the columns of each price list. */
export function writePrices(row: string[], { columns, listPrices }: Layout, { prices }: VariantLine): void {
  const byList = new Map(prices.map((price) => [price.priceList ?? null, price]));
  for (const [label, places] of [[null, columns] as const, ...listPrices])
    for (const [column, cell] of Object.entries(priceCells(byList.get(label)))) {
      const place = places.get(column as PriceColumn);
      if (place !== undefined) row[place] = cell;
    }
}

function priceCells(price: PriceLine | undefined): Partial<Record<PriceColumn, string>> {
  if (!price) return {};
  const { sellPrice, discountPrice = null, buyPrice = null, currencyCode } = price;
  const isReduced = discountPrice !== null && discountPrice < sellPrice;
  return {
    price: printDecimal(isReduced ? discountPrice : sellPrice),
    compareAtPrice: isReduced ? printDecimal(sellPrice) : '',
    discountPrice: isReduced ? '' : printDecimal(discountPrice),
    cost: printDecimal(buyPrice),
    currency: currencyCode ?? '',
  };
}

type Places = ReadonlyMap<PriceColumn, number>;

/** The prices of a row. Members without a column keep the stored values. */
export function pricesIn(row: CsvRow, sheet: Sheet, known: KnownVariant | undefined): PriceLine[] {
  const { layout, reader, records } = sheet;
  const storedRow = (priceList: string | null) => known?.line.prices.find((price) => price.priceList === priceList);
  const isBaseLost = refuseWithoutPrice(row, sheet);
  const isBaseMissing = isEmptyIn(row, layout.columns.get('price')) && !storedRow(null);
  if (isBaseMissing && !isBaseLost) reader.refuse(row, 'price', 'has no Variant Price');
  const basePlaces = layout.columns as Places;
  const base = priceRow(row, sheet, { places: basePlaces, stored: storedRow(null), isMissing: isBaseMissing });
  const listed = [...layout.listPrices].flatMap(([label, places]) => {
    const priceList = records.priceLists.normalized(label);
    if (priceList === undefined) return [];
    const price = priceRow(row, sheet, { places, stored: storedRow(priceList), isMissing: false });
    return price ? [{ price: { ...price, priceList }, places }] : [];
  });
  const all = [...(base ? [{ price: { ...base, priceList: null }, places: basePlaces }] : []), ...listed];
  reader.prices.set(
    row,
    all.map(({ places }) => places),
  );
  return all.map(({ price }) => price);
}

function isEmptyIn({ cells }: CsvRow, place: number | undefined): boolean {
  return place === undefined || (cells[place] ?? '').trim() === '';
}

const PRICE_MEMBERS = ['compareAtPrice', 'cost', 'discountPrice', 'currency'] as const;

/** The other members of a price cannot be written without the price, and would be lost. True if the base price is missing. */
function refuseWithoutPrice(row: CsvRow, { layout, records, reader }: Sheet): boolean {
  let isBaseLost = false;
  const { columns, listPrices, titles } = layout;
  const known = [...listPrices].flatMap(([label, places]) => (records.priceLists.find(label) ? [places] : []));
  for (const places of [columns, ...known] as Places[]) {
    const isEmpty = (column: PriceColumn): boolean => isEmptyIn(row, places.get(column));
    const member = PRICE_MEMBERS.find((column) => !isEmpty(column));
    if (member === undefined || !isEmpty('price')) continue;
    const price = places.get('price');
    const missing = price === undefined ? 'its price is missing' : `${titles[price]} is empty`;
    reader.refuse(row, places.get(member)!, `${titles[places.get(member)!]} has a value, but ${missing}`);
    isBaseLost ||= places === columns;
  }
  return isBaseLost;
}

/**
 * The price is what shoppers pay. If the compare-at price is higher, it is the sell price and the price is the discount
 * price. Missing columns keep the stored values. All cells are read also without a price, so that their mistakes are found;
 * 0 stands for a price with a mistake, or for the base price that is missing.
 */
function priceRow(
  row: CsvRow,
  { layout, reader }: Sheet,
  { places, stored, isMissing }: { places: Places; stored: PriceLine | undefined; isMissing: boolean },
): Omit<PriceLine, 'priceList'> | undefined {
  const read = <Value>(column: PriceColumn, parse: (cell: string) => Value): Value | null | undefined => {
    const place = places.get(column);
    return place === undefined ? undefined : reader.readAt(row, place, layout.titles[place]!, parse);
  };
  const given = read('price', parseAmount);
  const isMistaken = given === undefined && places.has('price');
  const price = given ?? (isMistaken || isMissing ? 0 : null);
  const compareAt = read('compareAtPrice', parseAmount);
  const above = read('discountPrice', parseAmount) ?? undefined;
  const cost = read('cost', parseAmount);
  const currency = read('currency', normalizedName);
  if (price === null) return undefined;
  const compared = compareAt === undefined ? stored?.sellPrice : compareAt;
  const isReduced = compared != null && compared > price && (compareAt !== undefined || stored?.discountPrice != null);
  return {
    sellPrice: isReduced ? compared : price,
    discountPrice: isReduced ? price : (above ?? null),
    buyPrice: cost === undefined ? (stored?.buyPrice ?? null) : cost,
    currencyCode: currency === undefined ? (stored?.currencyCode ?? null) : currency,
  };
}
