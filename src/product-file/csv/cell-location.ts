import { normalizedName } from '../../values/name.ts';
import type { MemberPlace, ReadProduct } from '../import/file-product.ts';
import { PAGE_MEMBERS, type PageMember } from '../line/product-line-input.ts';
import { type Column, PRODUCT_COLUMNS, VARIANT_COLUMNS } from './columns.ts';
import type { SheetProduct, SheetRow } from './sheet-row.ts';

type Path = readonly (string | number)[];

/** The columns of members of bulkUpdateProducts with their paths without numbers. Several may have one member. */
const COLUMNS: readonly (readonly [path: string, column: Column])[] = [
  ...PRODUCT_COLUMNS.map(({ member, column }) => [inputPath(member), column] as const),
  ...VARIANT_COLUMNS.map(({ member, column }) => [`variants.${member}`, column] as const),
  ['metaData.slug', 'handle'],
  ['brand', 'vendor'],
  ['productVariantTypes', 'variantTypes'],
  ['salesChannels', 'salesChannelSettings'],
  ['variants.sourceId', 'variantSourceId'],
  ['variants.weight', 'weight'],
  ['variants.stocks', 'stockLocations'],
  ['variants.stocks', 'inventory'],
];
const COLUMNS_BY_PATH = Map.groupBy(COLUMNS, ([path]) => path);

/** The row and the column of a member that bulkUpdateProducts refuses. The title is null if several columns have it. */
export function cellLocation(product: SheetProduct, read: ReadProduct, path: Path): MemberPlace {
  let row = product.rows[0]!;
  let entry: unknown = { ...read.line, variants: read.variants.map(({ line }) => line) };
  for (const [depth, name] of path.entries()) {
    entry = (entry as Record<string | number, unknown> | null | undefined)?.[name];
    const { row: ownRow, places } = product.origins.get(entry) ?? {};
    row = ownRow ?? row;
    const place = typeof places === 'object' ? places[String(path[depth + 1])] : places;
    if (place !== undefined) return row.placeAt(place);
  }
  return optionLocation(product, read, path) ?? columnLocation(row, path);
}

/** The first cell of a variant type, or of one of its values, that follows from the options in the rows. */
function optionLocation(
  { rows: [first], origins }: SheetProduct,
  { line, variants }: ReadProduct,
  [list, at, , valueAt]: Path,
): MemberPlace | undefined {
  if (list !== 'productVariantTypes' || typeof at !== 'number' || !first!.isEmpty('variantTypes')) return undefined;
  const { variantTypeName: title, variantValues } = line.productVariantTypes![at]!;
  if (typeof valueAt !== 'number') {
    const option = first!.layout.options.find(({ name }) => first!.read(name, normalizedName) === title);
    return option && first!.placeAt(option.name);
  }
  const { name } = variantValues[valueAt]!;
  const value = variants
    .flatMap((variant) => variant.line.variantValues ?? [])
    .find((entry) => entry.variantTypeName === title && entry.variantValueName === name);
  const origin = origins.get(value);
  return origin?.row.placeAt(origin.places as number);
}

/** Of several columns for a member, the first with a value. */
function columnLocation(row: SheetRow, path: Path): MemberPlace {
  const names = path.filter((name) => typeof name === 'string');
  for (let length = names.length; length > 0; length--) {
    const columns = COLUMNS_BY_PATH.get(names.slice(0, length).join('.')) ?? [];
    const places = columns.flatMap(([, column]) => row.layout.columns.get(column) ?? []);
    const place = places.find((at) => !row.isEmpty(at)) ?? places[0];
    if (place !== undefined) return row.placeAt(place);
  }
  return { line: row.line, row: row.row, title: null };
}

function inputPath(member: string): string {
  const ofPage = PAGE_MEMBERS.get(member as PageMember);
  return ofPage === undefined ? member : `metaData.${ofPage}`;
}
