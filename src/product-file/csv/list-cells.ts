import { normalizedName } from '../../field-input.ts';
import type { Sought } from './cell-location.ts';
import { parseAmount } from './cells.ts';
import { gallery, ownImages } from './images.ts';
import type { PriceColumn } from './layout.ts';
import type { CsvRow } from './text/read-csv-rows.ts';

export type Cell = { row: CsvRow; place: number };

/** The cell of a price, by the number of the price in the order in which the row was read. */
export function priceCell(
  { reader, layout }: Sought,
  row: CsvRow,
  at: number,
  member: string | number | undefined,
): Cell | undefined {
  const places = reader.prices.get(row)?.[at];
  const amountIn = (column: PriceColumn): number | null => {
    const place = places?.get(column);
    return place === undefined ? null : (reader.readAt(row, place, layout.titles[place]!, parseAmount) ?? null);
  };
  const [price, compared] = [amountIn('price'), amountIn('compareAtPrice')];
  const isReduced = price !== null && compared !== null && compared > price;
  const columns: Record<string, PriceColumn> = {
    sellPrice: isReduced ? 'compareAtPrice' : 'price',
    discountPrice: isReduced ? 'price' : 'discountPrice',
    buyPrice: 'cost',
    currencyCode: 'currency',
  };
  const place = places?.get(columns[String(member)] ?? 'price');
  return place === undefined ? undefined : { row, place };
}

/** The cell of a picture: the pictures of the first variant are in the rows of the product. */
export function imageCell(
  { product: { rows }, layout: { columns }, reader }: Sought,
  row: CsvRow,
  { isFirst, at }: { isFirst: boolean; at: number },
): Cell | undefined {
  const url = (isFirst ? gallery(rows, reader) : ownImages(row, reader))?.[at]?.imageUrl;
  const [ofProduct, own] = [columns.get('image'), columns.get('variantImage')];
  const inGallery = isFirst && ofProduct !== undefined;
  const named = inGallery ? rows.find(({ cells }) => (cells[ofProduct] ?? '').trim() === url) : undefined;
  if (named) return { row: named, place: ofProduct! };
  return own === undefined ? undefined : { row, place: own };
}

/** The cell of an option value of a row, by its number among those that are not empty. */
export function optionValueCell({ product, layout, reader }: Sought, row: CsvRow, at: number): Cell | undefined {
  const hasText = (of: CsvRow, place: number) => reader.readAt(of, place, '', normalizedName) != null;
  const used = layout.options.filter(({ name, value }) => hasText(product.rows[0]!, name) && hasText(row, value));
  const place = used[at]?.value;
  return place === undefined ? undefined : { row, place };
}

/** The cell of a variant type, or of one of its values, if they follow from the options in the rows. */
export function variantTypeCell(sought: Sought, at: number, valueAt: number | undefined): Cell | undefined {
  const { product, layout, reader } = sought;
  const [first] = product.rows as [CsvRow];
  if (reader.text(first, 'variantTypes') != null) return undefined;
  const read = (row: CsvRow, place: number) => reader.readAt(row, place, '', normalizedName);
  const types = new Map<string, { cell: Cell; values: Map<string, Cell> }>();
  for (const { name, value } of layout.options) {
    const title = read(first, name);
    if (title == null) continue;
    const type = types.get(title) ?? { cell: { row: first, place: name }, values: new Map<string, Cell>() };
    types.set(title, type);
    for (const row of product.rows) {
      const text = read(row, value);
      if (text != null && !type.values.has(text)) type.values.set(text, { row, place: value });
    }
  }
  const type = [...types.values()].filter(({ values }) => values.size > 0)[at];
  return valueAt === undefined ? type?.cell : [...(type?.values.values() ?? [])][valueAt];
}
