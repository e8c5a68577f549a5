import type { ProductLine, VariantLine } from '../line/product-line-input.ts';
import {
  type Column,
  COLUMN_TITLES,
  type MemberColumn,
  PRODUCT_COLUMNS,
  VALUE_COLUMNS,
  VARIANT_COLUMNS,
} from './columns.ts';

/** The price members with one column per price list. */
export const LIST_PRICES = {
  price: 'Price / ',
  compareAtPrice: 'Compare At Price / ',
  cost: 'Cost per item / ',
  discountPrice: 'Commerce / Discount Price / ',
  currency: 'Commerce / Currency / ',
} as const;

export type PriceColumn = keyof typeof LIST_PRICES;

const OWN_PREFIX = 'Commerce / ';
/** One column per stock location, as earlier exports had. Imported only. */
const INVENTORY_PREFIX = 'Commerce / Inventory / ';

const COLUMN_BY_NAME: ReadonlyMap<string, Column> = new Map(
  COLUMN_TITLES.flatMap(([column, titles]) => titles.map((title) => [plain(title), column])),
);

export type PlacedMember<Line> = MemberColumn<Line> & { place: number };

/** The positions of the columns in a row. */
export type Layout = {
  titles: readonly string[];
  /** Whether the sheet has a title that only our exports have, such as `Commerce / Source ID`. */
  isOurs: boolean;
  columns: ReadonlyMap<Column, number>;
  /** The columns that hold a member of a product or of a variant. */
  product: readonly PlacedMember<ProductLine>[];
  variant: readonly PlacedMember<VariantLine>[];
  options: readonly { name: number; value: number }[];
  /** By the label of a price list. */
  listPrices: ReadonlyMap<string, ReadonlyMap<PriceColumn, number>>;
  /** By the label of a stock location. */
  inventories: ReadonlyMap<string, number>;
  /** The columns of numbers, true and false, which spreadsheet programs may write in another form. */
  values: ReadonlySet<number>;
  /** Whether numbers have decimal commas: a spreadsheet program has used semicolons between cells, because of them. */
  hasCommas: boolean;
  /** Titles of unknown columns. */
  unread: readonly string[];
};

/** Parses the header of a file. Ignores unknown columns; of two columns with the same title the first counts. */
export function readLayout(header: readonly string[], { hasCommas = false } = {}): Layout {
  const columns = new Map<Column, number>();
  const options = new Map<number, { name?: number; value?: number }>();
  const listPrices = new Map<string, Map<PriceColumn, number>>();
  const inventories = new Map<string, number>();
  for (const [place, title] of header.entries()) {
    const listPrice = listPriceOf(title);
    // The name of a price list may have no Latin letter: `Price / 批发` would be read as the column Price.
    const column = listPrice ? undefined : COLUMN_BY_NAME.get(plain(title));
    const option = /^option(\d{1,7}) (name|value)$/.exec(plain(title));
    if (column) setOnce(columns, column, place);
    else if (option) options.set(Number(option[1]), { [option[2]!]: place, ...options.get(Number(option[1])) });
    else if (startsWith(title, INVENTORY_PREFIX))
      setOnce(inventories, title.slice(INVENTORY_PREFIX.length).trim(), place);
    else if (listPrice)
      listPrices.set(listPrice.label, setOnce(listPrices.get(listPrice.label) ?? new Map(), listPrice.column, place));
  }
  const whole = [...options]
    .sort(([a], [b]) => a - b)
    .flatMap(([, { name, value }]) => (name === undefined || value === undefined ? [] : [{ name, value }]));
  const ofOptions = whole.flatMap(({ name, value }) => [name, value]);
  const ofPrices = [...listPrices.values()].flatMap((places) => [...places.values()]);
  const read = new Set([...columns.values(), ...ofOptions, ...ofPrices, ...inventories.values()]);
  const unread = header.filter((title, place) => !read.has(place) && title.trim() !== '');
  const [product, variant] = [placed(PRODUCT_COLUMNS, columns), placed(VARIANT_COLUMNS, columns)];
  const isOurs = header.some((title) => startsWith(title, OWN_PREFIX));
  const values = new Set([
    ...VALUE_COLUMNS.flatMap((column) => columns.get(column) ?? []),
    ...ofPrices,
    ...inventories.values(),
  ]);
  const places = { columns, product, variant, options: whole, listPrices, inventories, values };
  return { ...places, titles: header, isOurs, hasCommas, unread };
}

function placed<Line>(
  members: readonly MemberColumn<Line>[],
  columns: ReadonlyMap<Column, number>,
): PlacedMember<Line>[] {
  return members.flatMap((member) => {
    const place = columns.get(member.column);
    return place === undefined ? [] : [{ ...member, place }];
  });
}

/** The title with its letters and digits only, because programs differ in case, dashes and spaces. */
function plain(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

function listPriceOf(title: string): { column: PriceColumn; label: string } | undefined {
  for (const [column, prefix] of Object.entries(LIST_PRICES)) {
    if (startsWith(title, prefix)) return { column: column as PriceColumn, label: title.slice(prefix.length).trim() };
  }
  return undefined;
}

function startsWith(title: string, prefix: string): boolean {
  return title.toLowerCase().startsWith(prefix.toLowerCase());
}

function setOnce<Key>(places: Map<Key, number>, key: Key, place: number): Map<Key, number> {
  return places.has(key) ? places : places.set(key, place);
}
