import { isUnchanged } from '../../db/write/unchanged.ts';
import { normalizedName } from '../../values/text.ts';
import type { KnownVariant } from '../import/file-product.ts';
import type { NamedRecords } from '../line/named-records.ts';
import type { PriceLine, VariantLine } from '../line/product-line-input.ts';
import { parseAmount, printDecimal } from './cells.ts';
import type { Layout, PriceColumn } from './layout.ts';
import type { SheetRow } from './sheet-row.ts';

type Places = ReadonlyMap<PriceColumn, number>;

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

/** The prices of a row. Members without a column are left out. */
export function pricesIn(row: SheetRow, records: NamedRecords, known: KnownVariant | undefined): PriceLine[] {
  const { priceLists } = records;
  const { columns, listPrices } = row.layout;
  const storedRow = (list: string | null) => known?.line.prices.find(({ priceList }) => priceList === list);
  const ofLists = [...listPrices].flatMap(([label, places]) => {
    const priceList = priceLists.normalized(label);
    return priceList === undefined ? [] : [{ priceList, places }];
  });
  return [{ priceList: null, places: columns as Places }, ...ofLists].flatMap(({ priceList, places }) => {
    const stored = storedRow(priceList);
    const isNeeded = priceList === null && !stored;
    const price = priceIn(row, places, { stored, isMissing: refuseWithoutPrice(row, places, isNeeded) });
    if (price && priceList !== null && isComputed(priceList, records) && !isUnchanged(price.price, stored ?? {}))
      row.warn(
        places.get('price')!,
        `${row.layout.titles[places.get('price')!]} is ignored: its price list computes prices`,
      );
    return price ? [row.marked({ ...price.price, priceList }, price.places)] : [];
  });
}

/** Whether prices of the list are not saved. */
function isComputed(label: string, { priceLists, storablePrices }: NamedRecords): boolean {
  return storablePrices([{ priceListId: priceLists.find(label)!.id }], []).length === 0;
}

const PRICE_MEMBERS = ['compareAtPrice', 'cost', 'discountPrice', 'currency'] as const;

/** The other members of a price cannot be written without the price, and would be lost. True if a price is needed. */
function refuseWithoutPrice(row: SheetRow, places: Places, isNeeded: boolean): boolean {
  const { titles } = row.layout;
  const place = places.get('price');
  if (!row.isEmpty(place)) return false;
  const lost = PRICE_MEMBERS.map((column) => places.get(column)).find((at) => !row.isEmpty(at));
  if (lost !== undefined) {
    const missing = place === undefined ? 'its price is missing' : `${titles[place]} is empty`;
    row.refuse(lost, `${titles[lost]} has a value, but ${missing}`);
  } else if (isNeeded) row.refuse(place, 'has no Variant Price');
  return isNeeded;
}

/**
 * The price is what shoppers pay. If the compare-at price is higher, it is the sell price and the price is the discount
 * price. All cells are read also without a price, so that their mistakes are found; 0 stands for a price with a mistake,
 * or for the base price that is missing.
 */
function priceIn(
  row: SheetRow,
  places: Places,
  { stored, isMissing }: { stored: PriceLine | undefined; isMissing: boolean },
) {
  const given = row.read(places.get('price'), parseAmount);
  const isMistaken = given === undefined && places.has('price');
  const price = given ?? (isMistaken || isMissing ? 0 : null);
  const compareAt = row.read(places.get('compareAtPrice'), parseAmount);
  const above = row.read(places.get('discountPrice'), parseAmount);
  const buyPrice = row.read(places.get('cost'), parseAmount);
  const currencyCode = row.read(places.get('currency'), normalizedName);
  if (price === null) return undefined;
  const compared = compareAt === undefined ? stored?.sellPrice : compareAt;
  const isReduced = compared != null && compared > price && (compareAt !== undefined || stored?.discountPrice != null);
  const unreduced = above === undefined ? keptDiscount(price, stored) : above;
  const ofPrice = places.get('price');
  return {
    price: {
      sellPrice: isReduced ? compared : price,
      discountPrice: isReduced ? price : unreduced,
      ...(buyPrice !== undefined && { buyPrice }),
      ...(currencyCode !== undefined && { currencyCode }),
    },
    places: {
      sellPrice: isReduced ? (places.get('compareAtPrice') ?? ofPrice) : ofPrice,
      discountPrice: isReduced ? ofPrice : places.get('discountPrice'),
      buyPrice: places.get('cost'),
      currencyCode: places.get('currency'),
      priceListId: ofPrice,
    },
  };
}

/** The stored discount price if it reduces nothing, so that an export shows the price alone, and the price stays. */
function keptDiscount(price: number, stored: PriceLine | undefined): number | null {
  const discount = stored?.discountPrice ?? null;
  return stored && discount !== null && price === stored.sellPrice && discount >= price ? discount : null;
}
