import { normalizedName } from '../../values/text.ts';
import type { MemberPlace, ReadProduct } from '../import/file-product.ts';
import { PAGE_MEMBERS, type PageMember, type ProductLine, type ValueLine } from '../line/product-line-input.ts';
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

/** The rows and columns of members that bulkUpdateProducts refuses. There may be as many as the product has cells. */
export class CellLocations {
  readonly #product: SheetProduct;
  readonly #line: ProductLine;
  #optionValues: ReadonlyMap<string, ReadonlyMap<string, ValueLine>> | undefined;

  constructor(product: SheetProduct, { line, variants }: ReadProduct) {
    this.#product = product;
    this.#line = { ...line, variants: variants.map((variant) => variant.line) };
  }

  /** The title is null if several columns have the member. */
  find(path: Path): MemberPlace {
    let row = this.#product.rows[0]!;
    let entry: unknown = this.#line;
    for (const [depth, name] of path.entries()) {
      entry = (entry as Record<string | number, unknown> | null | undefined)?.[name];
      const { row: ownRow, places } = this.#product.origins.get(entry) ?? {};
      row = ownRow ?? row;
      const place = typeof places === 'object' ? places[String(path[depth + 1])] : places;
      if (place !== undefined) return row.placeAt(place);
    }
    return this.#ofOption(path) ?? columnLocation(row, path);
  }

  /** The first cell of a variant type, or of one of its values, that follows from the options in the rows. */
  #ofOption([list, at, , valueAt]: Path): MemberPlace | undefined {
    const { rows, origins } = this.#product;
    const [first] = rows as [SheetRow];
    if (list !== 'productVariantTypes' || typeof at !== 'number' || !first.isEmpty('variantTypes')) return undefined;
    const { variantTypeName: title, variantValues } = this.#line.productVariantTypes![at]!;
    if (typeof valueAt !== 'number') {
      const option = first.layout.options.find(({ name }) => first.read(name, normalizedName) === title);
      return option && first.placeAt(option.name);
    }
    this.#optionValues ??= firstValues(this.#line);
    const origin = origins.get(this.#optionValues.get(title)?.get(variantValues[valueAt]!.name));
    return origin?.row.placeAt(origin.places as number);
  }
}

/** The first entries of the variants for each value, by variant types and values. */
function firstValues({ variants }: ProductLine): ReadonlyMap<string, ReadonlyMap<string, ValueLine>> {
  const values = variants.flatMap(({ variantValues }) => variantValues ?? []).reverse();
  const byType = Map.groupBy(values, ({ variantTypeName }) => variantTypeName);
  return new Map(
    Array.from(byType, ([type, entries]) => [type, new Map(entries.map((value) => [value.variantValueName, value]))]),
  );
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
