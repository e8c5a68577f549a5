import { normalizedName } from '../../field-input.ts';
import { type KnownVariant, ProductError } from '../import/file-product.ts';
import type { PriceLine, VariantLine } from '../line/product-line-input.ts';
import { parseAmount, printDecimal } from './cells.ts';
import type { Layout, PriceColumn } from './layout.ts';
import type { CsvRow } from './read-csv-rows.ts';
import type { Sheet } from './stocks.ts';

/** Writes the prices of a variant into its row: the base price, and the columns of each price list. */
export function writePrices(row: string[], { columns, listPrices }: Layout, { prices }: VariantLine): void {
  const byList = new Map(prices.map((price) => [price.priceList ?? null, price]));
  for (const [label, places] of [[null, columns] as const, ...listPrices])
    for (const [column, cell] of Object.entries(priceCells(byList.get(label))))
      row[places.get(column as PriceColumn)!] = cell;
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

/** The prices of a row. Members without a column keep the stored values. */
export function pricesIn(row: CsvRow, sheet: Sheet, known: KnownVariant | undefined): PriceLine[] {
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
