import type { ExportedLine } from '../export/export-products.ts';
import type { ProductLine, ValueLine, VariantLine } from '../line/product-line-input.ts';
import { identityOf } from '../line/variant-keys.ts';
import { printDecimal, printKey, printVariantTypes } from './cells.ts';
import { json } from './codecs.ts';
import type { Column } from './columns.ts';
import { galleryCells, ownImageCell } from './images.ts';
import type { Layout, PlacedMember } from './layout.ts';
import { BARE, isWithoutOptions, optionCells, optionNames, shownTypes } from './options.ts';
import { writePrices } from './prices.ts';
import { printStocks } from './stocks.ts';

type Cells = Partial<Record<Column, string>>;

/** The stock locations of the merchant by label, the oldest first. */
export type Locations = readonly string[];

const SHIPPED: readonly string[] = ['PHYSICAL', 'BUNDLE'];

/** The rows of a product: one per variant, and more if it has more pictures. */
export function productRows(line: ExportedLine, layout: Layout, locations: Locations): string[][] {
  const { handle, variants } = line;
  const names = optionNames(line);
  const pictures = galleryCells(variants[0]?.images ?? []);
  const isPublished = variants.some(({ isActive }) => isActive);
  const options = variants.map((variant) => optionCells(variant, names));
  const shown = options.map((cells) => shownValues(cells, names));
  const isBare = names.length === 0 && line.productVariantTypes.length === 0;
  const rows = variants.map((variant, index) => {
    const row = emptyRow(layout);
    writeMembers(row, layout.variant, variant);
    write(row, layout, {
      ...variantCells(variant, isPublished, locations),
      variantImage: index === 0 ? pictures.variantImage : ownImageCell(variant.images ?? []),
      requiresShipping: String(SHIPPED.includes(line.type)),
      variantSourceId: keyCell(variant, shown[index]!, isBare),
    });
    const written = isBare ? BARE : { names, values: options[index]! };
    writeOptions(row, layout, { ...written, isFirst: index === 0 });
    writePrices(row, layout, variant);
    return row;
  });
  while (rows.length < Math.max(1, pictures.rows.length)) rows.push(emptyRow(layout));
  writeMembers<ProductLine>(rows[0]!, layout.product, line);
  write(rows[0]!, layout, {
    ...productCells(line, isPublished),
    variantTypes: variantTypesCell(line, names, shown),
  });
  for (const row of rows) write(row, layout, { handle, updatedAt: line.updatedAt });
  for (const [index, cells] of pictures.rows.entries()) write(rows[index]!, layout, cells);
  return rows;
}

function emptyRow({ titles }: Layout): string[] {
  return Array<string>(titles.length).fill('');
}

function write(row: string[], { columns }: Layout, cells: Cells): void {
  for (const [column, cell] of Object.entries(cells)) {
    const place = columns.get(column as Column);
    if (place !== undefined) row[place] = cell;
  }
}

function writeMembers<Line>(row: string[], columns: readonly PlacedMember<Line>[], line: Line): void {
  for (const { place, member, print } of columns) row[place] = print(line[member] ?? null);
}

function productCells(line: ExportedLine, isPublished: boolean): Cells {
  const { name: _name, ...brandTexts } = line.brand ?? {};
  return {
    vendor: line.brand?.name ?? '',
    brandTexts: valueCell(brandTexts),
    published: String(isPublished),
    status: isPublished ? 'active' : 'draft',
    colors: valueCell(colorsOf(line)),
  };
}

function valueCell(value: object): string {
  return Object.keys(value).length === 0 ? '' : json.print(value);
}

function colorsOf({ productVariantTypes }: ExportedLine): Record<string, Record<string, string>> {
  const ofTypes = productVariantTypes.map(({ variantTypeName, variantValues }) => {
    const colors = variantValues.flatMap(({ name, colorCode }) => (colorCode === undefined ? [] : [[name, colorCode]]));
    return [variantTypeName, Object.fromEntries(colors) as Record<string, string>] as const;
  });
  return Object.fromEntries(ofTypes.filter(([, colors]) => Object.keys(colors).length > 0));
}

/**
 * The cell with the product's variant types and their values. It is empty if an import can derive them from the options
 * in the rows of the variants.
 */
function variantTypesCell({ productVariantTypes }: ExportedLine, names: string[], values: ValueLine[][]): string {
  const looksBare = names.length > 0 && isWithoutOptions(names, values);
  const own = printVariantTypes(productVariantTypes);
  return own === printVariantTypes(shownTypes(names, values)) && !looksBare ? '' : own;
}

/** The option values as an import reads them from the cells of a row. */
function shownValues(cells: readonly string[], names: readonly string[]): ValueLine[] {
  const values = cells.map((cell, index) => ({ variantTypeName: names[index]!, variantValueName: cell }));
  return values.filter(({ variantValueName }) => variantValueName !== '');
}

function variantCells(variant: VariantLine, isPublished: boolean, locations: Locations): Cells {
  const counts = new Map((variant.stocks ?? []).map(({ stockLocation, stockCount }) => [stockLocation, stockCount]));
  const listed = locations.flatMap((label) => (counts.has(label) ? [{ label, count: counts.get(label)! }] : []));
  const stockCount = counts.get(locations[0] ?? '');
  return {
    weightUnit: variant.weight == null ? '' : 'kg',
    inventoryTracker: 'shopify',
    inventory: printDecimal(stockCount ?? null),
    stockLocations: printStocks(listed),
    fulfillment: 'manual',
    isActive: variant.isActive === isPublished ? '' : String(variant.isActive),
  };
}

type Options = { names: readonly string[]; values: readonly string[]; isFirst: boolean };

/** The first row of a product names its options. */
function writeOptions(row: string[], { options }: Layout, { names, values, isFirst }: Options): void {
  if (isFirst) for (const [index, name] of names.entries()) row[options[index]!.name] = name;
  for (const [index, value] of values.entries()) row[options[index]!.value] = value;
}

/** The key of a variant, unless the options or the sku say it. Without all three an import may take the row for none. */
function keyCell({ sourceId, sku }: VariantLine, values: ValueLine[], isBare: boolean): string {
  const isShown = isBare || values.length > 0 || Boolean(sku);
  return isShown && sourceId === identityOf({ sku, variantValues: values }).key ? '' : printKey(sourceId);
}
