import { compare, type Send } from './play.ts';
import type { Product, State } from './state.ts';
import { shownCounts } from './stock.ts';

/** The values of a product that a filter compares: none, one, or those of a list. */
const COMPARED: Record<string, (product: Product) => readonly (string | null)[]> = {
  id: ({ id }) => [id],
  name: ({ name }) => [name],
  sourceId: ({ sourceId }) => [sourceId],
  vendorId: ({ vendorId }) => [vendorId],
  brandId: ({ brandId }) => [brandId],
  tagIds: ({ tagIds }) => tagIds,
  categoryIds: ({ categoryIds }) => categoryIds,
  salesChannelIds: ({ salesChannelIds }) => salesChannelIds,
  sku: ({ variants }) => variants.filter(({ deleted }) => !deleted).map(({ sku }) => sku),
};
const PAGE = 3;

type Filter = { eq?: string; ne?: string; in?: string[]; nin?: string[]; like?: string; isNull?: boolean };

type Stock = ReturnType<typeof shownCounts>;

/** What `stock` of a filter says of the counts that are compared. */
const STOCK: Record<string, (counts: Stock) => boolean> = {
  inStock: (counts) => counts.some(({ stockCount }) => stockCount > 0),
  isAvailable: (counts) => counts.some(({ availableCount }) => availableCount > 0),
  isNull: (counts) => counts.length === 0,
};

/** Compares what the filters by stock find, at all stock locations and at one. */
export async function checkStockFilters(send: Send, state: State): Promise<void> {
  const listed = state.products.filter(({ deleted }) => !deleted);
  const open = state.named.location.filter(({ deleted }) => !deleted).map(({ id }) => id);
  for (const [member, holds] of Object.entries(STOCK))
    for (const [value, stockLocationIds] of [
      [true],
      [false],
      [true, open.slice(0, 1)],
      [false, open.slice(0, 1)],
    ] as const) {
      const counts = shownCounts(state).filter(({ stockLocationId }) =>
        (stockLocationIds ?? open).includes(stockLocationId),
      );
      const isFound = ({ variants }: Product) => {
        const ids = variants.filter(({ deleted }) => !deleted).map(({ id }) => id);
        return holds(counts.filter(({ variantId }) => ids.includes(variantId))) === value;
      };
      const stock = { [member]: value, ...(stockLocationIds && { stockLocationIds }) };
      const expected = listed.filter(isFound).map(({ id }) => id);
      compare(`stock: ${JSON.stringify(stock)}`, await pagesOf(send, { stock }), expected.toReversed());
    }
}

/**
 * Compares what each filter finds with the model, so that `eq` and `ne`, `in` and `nin`, and both values of `isNull`
 * divide the products between them. Reads the lists page by page, by cursors.
 */
export async function checkFilters(send: Send, { products }: State): Promise<void> {
  const listed = products.filter(({ deleted }) => !deleted);
  for (const [member, valuesOf] of Object.entries(COMPARED)) {
    const values = [...new Set(listed.flatMap(valuesOf))].filter((value) => value !== null);
    for (const filter of filtersOf(values)) {
      // `CategoryFilterInput` has no `ne`.
      if (member === 'categoryIds' && filter.ne !== undefined) continue;
      const isFound = (product: Product) => isComparable(member, filter, product) && matches(valuesOf(product), filter);
      const expected = listed.filter(isFound).map(({ id }) => id);
      const found = await pagesOf(send, { [member]: filter });
      compare(`${member}: ${JSON.stringify(filter)}`, found, expected.toReversed());
    }
  }
}

function filtersOf(values: readonly string[]): Filter[] {
  const [one = 'none', ...others] = values;
  return [
    { eq: one },
    { ne: one },
    { in: [one, ...others.slice(1)] },
    { nin: [one, ...others.slice(1)] },
    { in: [] },
    { isNull: true },
    { isNull: false },
  ];
}

/** Conditions on variants with `isNull: true` hold for products that have variants. */
function isComparable(member: string, { isNull }: Filter, { variants }: Product): boolean {
  return member !== 'sku' || isNull !== true || variants.some(({ deleted }) => !deleted);
}

function matches(stored: readonly (string | null)[], filter: Filter): boolean {
  const values = stored.filter((value) => value !== null);
  if (filter.isNull !== undefined) return (values.length === 0) === filter.isNull;
  const wanted = filter.in ?? filter.nin ?? [filter.eq ?? filter.ne!];
  const isAmong = values.some((value) => wanted.includes(value));
  return filter.eq !== undefined || filter.in !== undefined ? isAmong : !isAmong;
}

type Page = { count: number; data: { id: string }[]; hasNext: boolean; endCursor: string | null };

/** The ids of all pages: the newest product first. Checks the number that the first page tells. */
async function pagesOf(send: Send, filter: object): Promise<string[]> {
  const ids: string[] = [];
  let count = 0;
  for (let after: string | null | undefined; after !== null;) {
    const pagination = { limit: PAGE, ...(after && { after }) };
    const { data, errors } = await send('listProduct', { ...filter, pagination });
    if (errors) throw new Error(`${JSON.stringify(filter)}: ${JSON.stringify(errors)}`);
    const page = data!['listProduct'] as Page;
    ids.push(...page.data.map(({ id }) => id));
    count = after === undefined ? page.count : count;
    after = page.hasNext ? page.endCursor : null;
  }
  compare(`count of ${JSON.stringify(filter)}`, count, ids.length);
  return ids;
}
