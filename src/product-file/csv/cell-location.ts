import type { CsvRow } from './read-csv-rows.ts';
import { PAGE_MEMBERS, type PageMember } from '../line/product-line-input.ts';
import { type Column, PRODUCT_COLUMNS, titleOf, VARIANT_COLUMNS } from './columns.ts';
import type { Layout } from './layout.ts';
import { isVariantRow } from './csv-variants.ts';
import type { CsvProduct } from './read-csv.ts';
import type { RowReader } from './row-reader.ts';

/** The columns of members of bulkUpdateProducts, by their paths without numbers. */
const COLUMNS: ReadonlyMap<string, Column> = new Map<string, Column>([
  ...PRODUCT_COLUMNS.map(({ member, column }) => [inputPath(member), column] as const),
  ...VARIANT_COLUMNS.map(({ member, column }) => [`variants.${member}`, column] as const),
  ['name', 'title'],
  ['metaData.slug', 'handle'],
  ['brand', 'vendor'],
  ['productVariantTypes', 'variantTypes'],
  ['salesChannels', 'salesChannelSettings'],
  ['variants.weight', 'grams'],
]);
const BASE_PRICE_COLUMNS: Record<string, Column> = {
  sellPrice: 'price',
  discountPrice: 'price',
  buyPrice: 'cost',
  currencyCode: 'currency',
};

export type CellLocation = { line: number; title: string | null };

/** The row and the column of a member that bulkUpdateProducts refuses. The title is null if several columns have it. */
export function cellLocation(
  { rows }: CsvProduct,
  layout: Layout,
  reader: RowReader,
  path: readonly (string | number)[],
): CellLocation {
  const [member, index] = path;
  const isOfVariant = member === 'variants' && typeof index === 'number';
  const variantRows = rows.filter((row, at) => at === 0 || isVariantRow(row, layout, reader));
  const row: CsvRow = (isOfVariant ? variantRows[index] : undefined) ?? rows[0]!;
  const column = columnOf(path);
  const place = column && layout.columns.get(column);
  return { line: row.line, title: place === undefined ? null : titleOf(column!) };
}

function columnOf(path: readonly (string | number)[]): Column | undefined {
  const [, , list, row, member] = path;
  if (list === 'prices') return row === 0 ? BASE_PRICE_COLUMNS[String(member)] : undefined;
  const names = path.filter((name) => typeof name === 'string');
  for (let length = names.length; length > 0; length--) {
    const column = COLUMNS.get(names.slice(0, length).join('.'));
    if (column) return column;
  }
  return undefined;
}

function inputPath(member: string): string {
  const ofPage = PAGE_MEMBERS.get(member as PageMember);
  return ofPage === undefined ? member : `metaData.${ofPage}`;
}
