import { asMeasure } from '../../values/decimal.ts';
import { normalizedName } from '../../field-input.ts';
import type { PortableProduct } from '../stored/portable-product.ts';
import type { PortableVariant } from '../stored/portable-variant.ts';
import { variantExtrasInput } from '../import/extras-input.ts';
import { type ImportNotes, type ImportVariant, ProductError } from '../import/import-input.ts';
import type { StoreIds } from '../line/store-ids.ts';
import { CellError, parseAmount, parseBarcodes, parseBoolean, parseImages, parseMeasure, quoted } from './cells.ts';
import type { Layout, PriceColumn } from './columns.ts';
import type { CsvRow } from './read-csv-rows.ts';
import type { CsvProduct } from './read-csv.ts';
import type { RowReader } from './row-reader.ts';
import { variantExtrasIn } from './extras-cells.ts';
import { stocksIn } from './stocks-input.ts';
import type { CsvVariant, CsvVariants } from './csv-variants.ts';

const KILOGRAMS: Record<string, number> = { kg: 1, g: 0.001, lb: 0.453_592_37, oz: 0.028_349_523_125 };
/**
 * Decimals of a weight in kilograms, down to a microgram, because pounds and ounces are not round numbers of kilograms.
 */
const WEIGHT_DIGITS = 9;

type VariantsInputArgs = {
  csvProduct: CsvProduct;
  layout: Layout;
  reader: RowReader;
  storeIds: StoreIds;
  stored: PortableProduct | undefined;
  variants: CsvVariants;
  /** Null if the file has no such column. */
  isPublished: boolean | null;
  notes: ImportNotes;
};

/**
 * The variants of a product for bulkUpdateProducts. A file has all variants of a product, so stored variants that it
 * does not have are deleted.
 */
export function variantsInput(args: VariantsInputArgs): ImportVariant[] {
  const listed = args.variants.list.map((variant, index) => {
    if (variant.row) return variantInput(args, variant, variant.row, index);
    return { id: variant.stored!.id, isActive: args.isPublished ?? variant.stored!.isActive, prices: [] };
  });
  const kept = new Set(listed.map(({ id }) => id));
  const removed = (args.stored?.variants ?? []).filter(({ id }) => !kept.has(id));
  return [...listed, ...removed.map(({ id, isActive }) => ({ id, isActive, prices: [], deleted: true }))];
}

function variantInput(
  args: VariantsInputArgs,
  { key, sku, stored, variantValues }: CsvVariant,
  row: CsvRow,
  index: number,
): ImportVariant {
  const { layout, reader, storeIds, isPublished } = args;
  const { has, text, read } = reader;
  const barcodes = read(row, 'barcode', parseBarcodes);
  return {
    ...variantExtrasInput(variantExtrasIn(row, reader), stored, storeIds),
    ...(stored ? { id: stored.id } : { sourceId: key }),
    ...(has('sku') ? { sku } : {}),
    ...(barcodes === undefined ? {} : { barcodeList: barcodes ?? [] }),
    isActive: read(row, 'isActive', parseBoolean) ?? isPublished ?? stored?.isActive ?? true,
    prices: pricesIn(row, args, stored),
    ...(layout.options.length === 0
      ? {}
      : {
          variantValues: variantValues.map(({ typeName, name }) => ({
            variantTypeName: typeName,
            variantValueName: name,
          })),
        }),
    ...sent('weight', weightIn(row, reader)),
    ...sent('hsCode', text(row, 'hsCode')),
    ...sent('sellIfOutOfStock', read(row, 'inventoryPolicy', parsePolicy)),
    ...sent('stocks', stocksIn(row, args)),
    ...sent('images', index === 0 ? gallery(args, row) : ownImages(row, reader)),
  };
}

function sent<Name extends string, Value>(name: Name, value: Value | undefined): { [Member in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [Member in Name]?: Value });
}

function pricesIn(row: CsvRow, args: VariantsInputArgs, stored: PortableVariant | undefined): ImportVariant['prices'] {
  const { layout, reader, storeIds } = args;
  const storedRow = (priceListId: string | null) => stored?.prices.find((price) => price.priceListId === priceListId);
  refuseWithoutPrice(row, args);
  const base = priceRow((column, parse) => reader.read(row, column, parse), storedRow(null));
  if (!base && !storedRow(null)) throw new ProductError(row.line, 'has no Variant Price');
  const listed = [...layout.listPrices].flatMap(([label, places]) => {
    const priceListId = storeIds.priceLists.find(label)?.id;
    if (priceListId === undefined) return [];
    const readListed: ReadPrice = (column, parse) => {
      const place = places.get(column);
      return place === undefined ? undefined : reader.readAt(row, place, layout.titles[place]!, parse);
    };
    const price = priceRow(readListed, storedRow(priceListId));
    return price ? [{ ...price, priceListId }] : [];
  });
  return [...(base ? [base] : []), ...listed];
}

const PRICE_MEMBERS = ['compareAtPrice', 'cost', 'discountPrice', 'currency'] as const;

/** The other members of a price cannot be written without the price, and would be lost. */
function refuseWithoutPrice({ line, cells }: CsvRow, { layout, storeIds }: VariantsInputArgs): void {
  const { columns, listPrices, titles } = layout;
  const known = [...listPrices].flatMap(([label, places]) => (storeIds.priceLists.find(label) ? [places] : []));
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
function priceRow(read: ReadPrice, stored: PortableVariant['prices'][number] | undefined) {
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
    currencyCode: currency === undefined ? (stored?.currency ?? null) : currency,
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

/** True if the product may be sold when out of stock. */
function parsePolicy(cell: string): boolean {
  const policy = cell.trim().toLowerCase();
  if (policy === 'continue' || policy === 'deny') return policy === 'continue';
  return parseBoolean(cell);
}

type Images = NonNullable<ImportVariant['images']>;

/** The product's pictures belong to its first variant. The product's own picture is the main one. */
function gallery({ csvProduct, reader }: VariantsInputArgs, first: CsvRow): Images | undefined {
  const { has, read } = reader;
  const own = read(first, 'variantImage', trimmed) ?? undefined;
  const all = own === undefined ? undefined : parseImages(own);
  if (all) return all.map(asInput);
  if (!has('image')) return undefined;
  const rows = csvProduct.rows.flatMap((row) => {
    const url = read(row, 'image', trimmed);
    return url ? [{ url, position: read(row, 'imagePosition', parseMeasure) ?? null }] : [];
  });
  const pictures = rows.map(({ url, position }, index) => ({ url, order: position ?? index + 1 }));
  if (own && !pictures.some(({ url }) => url === own))
    pictures.push({ url: own, order: Math.max(0, ...pictures.map(({ order }) => order)) + 1 });
  const distinct = [...new Map(pictures.toReversed().map((picture) => [picture.url, picture])).values()].toReversed();
  const inOrder = distinct.toSorted((a, b) => a.order - b.order);
  const main = own ?? inOrder[0]?.url;
  return inOrder.map(({ url, order }) => ({ imageUrl: url, isMain: url === main, order }));
}

function ownImages(row: CsvRow, { has, read }: RowReader): Images | undefined {
  if (!has('variantImage')) return undefined;
  const cell = read(row, 'variantImage', trimmed);
  if (!cell) return [];
  return parseImages(cell)?.map(asInput) ?? [{ imageUrl: cell, isMain: true, order: 1 }];
}

function trimmed(cell: string): string {
  return cell.trim();
}

function asInput({ url, isMain, isVideo, order }: NonNullable<ReturnType<typeof parseImages>>[number]): Images[number] {
  return { imageUrl: url, isMain, isVideo, order };
}
