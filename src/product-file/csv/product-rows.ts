import type { PortableProduct } from '../stored/portable-product.ts';
import type { PortableVariant } from '../stored/portable-variant.ts';
import type { StoreIds } from '../line/store-ids.ts';
import { categoryPath } from '../line/category-path.ts';
import { productExtras, variantExtras, type OnOmission } from '../line/extras.ts';
import { handleOf, lastChanges } from '../line/record-labels.ts';
import { storedKeys, variantKey } from '../line/variant-keys.ts';
import { printBarcodes, printCategories, printDecimal, printTags, printText, type CsvImage } from './cells.ts';
import type { Column, Layout, PriceColumn } from './columns.ts';
import { isWithoutOptions, NO_OPTION, optionCells, optionNames, shownTypes } from './options.ts';
import { productExtrasCells, variantExtrasCells } from './extras-cells.ts';
import { printStocks } from './stock-cell.ts';
import { textsCells } from './texts-cells.ts';
import type { WrittenTexts } from '../line/written-texts.ts';
import { writtenImages } from '../line/written-images.ts';

type Cells = Partial<Record<Column, string>>;

const SHIPPED: readonly string[] = ['PHYSICAL', 'BUNDLE'];

/** The rows of a stored product: one per variant, and more if it has more pictures. */
export function productRows(
  product: PortableProduct,
  layout: Layout,
  storeIds: StoreIds,
  texts: WrittenTexts,
  omit: OnOmission,
): string[][] {
  const handle = handleOf(product);
  const { publicUrl } = storeIds;
  const names = optionNames(product);
  const keys = storedKeys(product.variants);
  const [first] = product.variants;
  const pictures = first ? galleryCells(writtenImages(first, publicUrl)) : { rows: [], variantImage: '' };
  const isPublished = product.variants.some(({ isActive }) => isActive);
  const rows = product.variants.map((variant, index) => {
    const row = emptyRow(layout);
    write(
      row,
      layout,
      variantCells(
        variant,
        index === 0 ? pictures.variantImage : ownImageCell(writtenImages(variant, publicUrl)),
        isPublished,
        storeIds,
      ),
    );
    writeOptions(row, layout, index === 0 ? names : [], optionCells(variant, names), names.length === 0, index === 0);
    write(row, layout, {
      requiresShipping: String(SHIPPED.includes(product.type)),
      variantSourceId: keyCell(keys[index]!, variant, optionCells(variant, names)),
    });
    write(row, layout, variantExtrasCells(variantExtras(variant, storeIds, omit)));
    writePrices(row, layout, variant, storeIds);
    return row;
  });
  while (rows.length < Math.max(1, pictures.rows.length)) rows.push(emptyRow(layout));
  write(rows[0]!, layout, productCells(product, names, handle, isPublished));
  write(rows[0]!, layout, productExtrasCells(productExtras(product, storeIds, omit)));
  write(rows[0]!, layout, textsCells(texts.of(product)));
  for (const row of rows) write(row, layout, { handle });
  for (const [index, cells] of pictures.rows.entries()) write(rows[index]!, layout, cells);
  return rows;
}

function emptyRow({ titles }: Layout): string[] {
  return Array<string>(titles.length).fill('');
}

function write(row: string[], { columns }: Layout, cells: Cells): void {
  for (const [column, cell] of Object.entries(cells)) row[columns.get(column as Column)!] = cell;
}

function productCells(product: PortableProduct, names: string[], handle: string, isPublished: boolean): Cells {
  const { updatedAt, stockUpdatedAt } = lastChanges(product);
  return {
    title: product.name,
    description: printText(product.description),
    vendor: product.brand?.name ?? '',
    updatedAt,
    stockUpdatedAt: stockUpdatedAt ?? '',
    category: printCategories(product.categories.map(categoryPath)),
    tags: printTags(product.tags.map(({ name }) => name)),
    published: String(isPublished),
    status: isPublished ? 'active' : 'draft',
    pageTitle: printText(product.metaData?.pageTitle),
    pageDescription: printText(product.metaData?.description),
    googleTaxonomyId: printText(product.googleTaxonomyId),
    productType: product.type,
    sourceId: product.sourceId === handle ? '' : printText(product.sourceId),
    shortDescription: printText(product.shortDescription),
    vendorId: printText(product.vendorId),
    productWeight: printDecimal(product.weight),
    maxQuantityPerCart: printDecimal(product.maxQuantityPerCart),
    variantTypes: variantTypesCell(product, names),
  };
}

/**
 * The cell with the product's variant types and their values. It is empty if an import can derive them from the options
 * in the rows of the variants.
 */
function variantTypesCell({ variantTypes, variants }: PortableProduct, names: string[]): string {
  const values = variants.map(({ variantValues }) =>
    variantValues.map(({ typeName, name }) => ({ typeName: typeName ?? '', name })),
  );
  const own = variantTypes.map(({ name, order, values }) => ({
    name,
    order,
    values: values.map((value) => value.name),
  }));
  const looksBare = names.length > 0 && isWithoutOptions(names, values);
  const isShown =
    JSON.stringify(own) ===
    JSON.stringify(
      shownTypes(
        names,
        variants.map((variant) => shownValues(variant, names)),
      ),
    );
  return isShown && !looksBare ? '' : JSON.stringify(own);
}

function shownValues(variant: PortableVariant, names: string[]) {
  return optionCells(variant, names).flatMap((name, index) => (name === '' ? [] : [{ typeName: names[index]!, name }]));
}

function variantCells(variant: PortableVariant, variantImage: string, isPublished: boolean, storeIds: StoreIds): Cells {
  const stock = variant.stocks.find(({ stockLocationId }) => stockLocationId === storeIds.defaultLocationId);
  const weight = printDecimal(variant.weight, 3);
  return {
    sku: printText(variant.sku),
    grams: weight,
    weightUnit: weight === '' ? '' : 'kg',
    inventoryTracker: stock ? 'shopify' : '',
    inventory: printDecimal(stock?.stockCount ?? null),
    stockLocations: stocksCell(variant, storeIds),
    inventoryPolicy: variant.sellIfOutOfStock === null ? '' : variant.sellIfOutOfStock ? 'continue' : 'deny',
    fulfillment: 'manual',
    barcode: printBarcodes(variant.barcodeList),
    variantImage,
    isActive: variant.isActive === isPublished ? '' : String(variant.isActive),
    hsCode: printText(variant.hsCode),
  };
}

function writeOptions(
  row: string[],
  { options }: Layout,
  names: string[],
  values: string[],
  isBare: boolean,
  isFirst: boolean,
): void {
  const [first] = options;
  if (isBare && isFirst) row[first!.name] = NO_OPTION.name;
  if (isBare) row[first!.value] = NO_OPTION.value;
  for (const [index, name] of names.entries()) row[options[index]!.name] = name;
  for (const [index, value] of values.entries()) row[options[index]!.value] = value;
}

/** The cell with the key of a variant. It is empty if the options or the sku identify the variant. */
function keyCell(key: string, { sku }: PortableVariant, values: string[]): string {
  const shown = variantKey({ variantValues: values.filter((name) => name !== '').map((name) => ({ name })), sku });
  return key === shown ? '' : printText(key);
}

function writePrices(
  row: string[],
  { columns, listPrices }: Layout,
  { prices }: PortableVariant,
  { priceLists }: StoreIds,
): void {
  const ofList = (id: string | null) => prices.find(({ priceListId }) => priceListId === id);
  for (const [column, cell] of Object.entries(priceCells(ofList(null))))
    row[columns.get(column as PriceColumn)!] = cell;
  for (const [label, places] of listPrices) {
    for (const [column, cell] of Object.entries(priceCells(ofList(priceLists.find(label)!.id))))
      row[places.get(column as PriceColumn)!] = cell;
  }
}

function priceCells(price: PortableVariant['prices'][number] | undefined): Partial<Record<PriceColumn, string>> {
  if (!price) return {};
  const { sellPrice, discountPrice, buyPrice, currency } = price;
  const isReduced = discountPrice !== null && discountPrice < sellPrice;
  return {
    price: printDecimal(isReduced ? discountPrice : sellPrice),
    compareAtPrice: isReduced ? printDecimal(sellPrice) : '',
    discountPrice: isReduced ? '' : printDecimal(discountPrice),
    cost: printDecimal(buyPrice),
    currency: currency ?? '',
  };
}

/** The counts in the order of their locations, the oldest first. */
function stocksCell({ stocks }: PortableVariant, { locations }: StoreIds): string {
  const counts = new Map(stocks.map(({ stockLocationId, stockCount }) => [stockLocationId, stockCount]));
  const listed = locations.labels().flatMap((label) => {
    const count = counts.get(locations.find(label)!.id);
    return count === undefined ? [] : [{ label, count }];
  });
  return printStocks(listed);
}

/**
 * The pictures of the first variant in the product's columns, or in one JSON cell if the columns cannot hold them all.
 */
function galleryCells(images: CsvImage[]): { rows: Cells[]; variantImage: string } {
  const main = images.filter(({ isMain }) => isMain);
  const isPlain =
    images.length === 0 || (main.length === 1 && images.every(({ url, isVideo }) => !isVideo && isPlainAddress(url)));
  if (!isPlain) return { rows: [], variantImage: JSON.stringify(images) };
  const rows = images.map(({ url, order }) => ({ image: url, imagePosition: printDecimal(order) }));
  return { rows, variantImage: main[0] && main[0] !== images[0] ? main[0].url : '' };
}

function ownImageCell(images: CsvImage[]): string {
  const [image] = images;
  if (!image) return '';
  const isPlain =
    images.length === 1 && image.isMain && !image.isVideo && image.order === 1 && isPlainAddress(image.url);
  return isPlain ? image.url : JSON.stringify(images);
}

function isPlainAddress(url: string): boolean {
  return url !== '' && url.trim() === url && !url.startsWith('[');
}
