import type { MemberPlace } from '../import/file-product.ts';
import { PAGE_MEMBERS, type PageMember } from '../line/product-line-input.ts';
import { type Column, PRODUCT_COLUMNS, VARIANT_COLUMNS } from './columns.ts';
import { isVariantRow } from './csv-variants.ts';
import type { Layout } from './layout.ts';
import { imageCell, optionValueCell, priceCell, type Cell, variantTypeCell } from './list-cells.ts';
import type { CsvRow } from './text/read-csv-rows.ts';
import type { CsvProduct } from './read-csv.ts';
import { columnLetters } from './row-mistakes.ts';
import type { RowReader } from './row-reader.ts';

/** The columns of members of bulkUpdateProducts with their paths without numbers. Several may have one member. */
const COLUMNS: readonly (readonly [path: string, column: Column])[] = [
  ...PRODUCT_COLUMNS.map(({ member, column }) => [inputPath(member), column] as const),
  ...VARIANT_COLUMNS.map(({ member, column }) => [`variants.${member}`, column] as const),
  ['name', 'title'],
  ['type', 'productType'],
  ['metaData.slug', 'handle'],
  ['brand', 'vendor'],
  ['productVariantTypes', 'variantTypes'],
  ['salesChannels', 'salesChannelSettings'],
  ['variants.sourceId', 'variantSourceId'],
  ['variants.weight', 'grams'],
  ['variants.weight', 'weight'],
  ['variants.stocks', 'stockLocations'],
  ['variants.stocks', 'inventory'],
];
const COLUMNS_BY_PATH = Map.groupBy(COLUMNS, ([path]) => path);

export type Sought = { product: CsvProduct; layout: Layout; reader: RowReader };

/** The row and the column of a member that bulkUpdateProducts refuses. The title is null if several columns have it. */
export function cellLocation(sought: Sought, path: readonly (string | number)[]): MemberPlace {
  const { product, layout, reader } = sought;
  const [member, index] = path;
  const isOfVariant = member === 'variants' && typeof index === 'number';
  const variantRows = product.rows.filter((row, at) => at === 0 || isVariantRow(row, layout, reader));
  const row: CsvRow = (isOfVariant ? variantRows[index] : undefined) ?? product.rows[0]!;
  const cell =
    (isOfVariant ? variantCell(sought, row, path) : productCell(sought, path)) ?? plainCell(sought, row, path);
  if (!cell) return { line: row.line, row: row.row, title: null };
  const { place } = cell;
  return { line: cell.row.line, row: cell.row.row, column: columnLetters(place), title: layout.titles[place]! };
}

function variantCell(sought: Sought, row: CsvRow, path: readonly (string | number)[]): Cell | undefined {
  const [, index, list, at, member] = path;
  if (typeof at !== 'number') return undefined;
  if (list === 'prices') return priceCell(sought, row, at, member);
  if (list === 'images') return imageCell(sought, row, { isFirst: index === 0, at });
  return list === 'variantValues' ? optionValueCell(sought, row, at) : undefined;
}

function productCell(sought: Sought, path: readonly (string | number)[]): Cell | undefined {
  const [list, at, values, valueAt] = path;
  if (list !== 'productVariantTypes' || typeof at !== 'number') return undefined;
  return variantTypeCell(sought, at, values === 'variantValues' && typeof valueAt === 'number' ? valueAt : undefined);
}

/** Of several columns for a member, the first with a value. */
function plainCell({ layout }: Sought, row: CsvRow, path: readonly (string | number)[]): Cell | undefined {
  const names = path.filter((name) => typeof name === 'string');
  for (let length = names.length; length > 0; length--) {
    const columns = COLUMNS_BY_PATH.get(names.slice(0, length).join('.')) ?? [];
    const places = columns.flatMap(([, column]) => layout.columns.get(column) ?? []);
    const place = places.find((at) => (row.cells[at] ?? '').trim() !== '') ?? places[0];
    if (place !== undefined) return { row, place };
  }
  return undefined;
}

function inputPath(member: string): string {
  const ofPage = PAGE_MEMBERS.get(member as PageMember);
  return ofPage === undefined ? member : `metaData.${ofPage}`;
}
