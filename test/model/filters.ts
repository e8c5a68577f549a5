import { shownProducts } from './automated.ts';
import { compare, type Query } from './play.ts';
import { idsOf, type Product, shown, type State } from './state.ts';
import { shownCounts } from './stock.ts';
import { withSubcategories } from './tree.ts';

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
  sku: ({ variants }) => shown(variants).map(({ sku }) => sku),
};
const PAGE = 3;
/** Of the filters with the subcategories of one. */
const MAX_CATEGORIES = 8;
/** As many aliases as a document may have. */
const MAX_ALIASES = 30;

type Filter = {
  eq?: string;
  ne?: string;
  in?: string[];
  nin?: string[];
  isNull?: boolean;
  includeSubcategories?: boolean;
};

type Stock = ReturnType<typeof shownCounts>;

/** What `stock` of a filter says of the counts that are compared. */
const STOCK: Record<string, (counts: Stock) => boolean> = {
  inStock: (counts) => counts.some(({ stockCount }) => stockCount > 0),
  isAvailable: (counts) => counts.some(({ availableCount }) => availableCount > 0),
  isNull: (counts) => counts.length === 0,
};

/** A filter of `listProduct`, and the ids that it must find. */
type Check = { filter: object; expected: string[] };

/**
 * Compares what each filter finds with the model, so that `eq` and `ne`, `in` and `nin`, and both values of `isNull`
 * divide the products between them. Reads the lists page by page with cursors, up to 30 lists in one request.
 */
export async function checkFilters(query: Query, state: State): Promise<void> {
  const checks = [...memberChecks(state), ...stockChecks(state)];
  const lists: List[] = checks.map(({ filter }) => ({ filter, ids: [], count: 0, after: undefined }));
  for (let open = lists; open.length > 0; open = open.filter(({ after }) => after !== null))
    for (let start = 0; start < open.length; start += MAX_ALIASES)
      await readPages(query, open.slice(start, start + MAX_ALIASES));
  for (const [index, { filter, expected }] of checks.entries()) {
    const { ids, count } = lists[index]!;
    compare(JSON.stringify(filter), ids, expected.toReversed());
    compare(`count of ${JSON.stringify(filter)}`, count, expected.length);
  }
}

export function stockChecks(state: State): Check[] {
  const listed = shown(state.products);
  const open = idsOf(shown(state.named.location));
  return Object.entries(STOCK).flatMap(([member, holds]) =>
    [
      { [member]: true },
      { [member]: false },
      { [member]: true, stockLocationIds: open.slice(0, 1) },
      { [member]: false, stockLocationIds: open.slice(0, 1) },
    ].map((stock) => {
      const { stockLocationIds = open } = stock as { stockLocationIds?: string[] };
      const counts = shownCounts(state).filter(({ stockLocationId }) => stockLocationIds.includes(stockLocationId));
      const isFound = ({ variants }: Product) => {
        const ids = idsOf(shown(variants));
        return holds(counts.filter(({ variantId }) => ids.includes(variantId))) === stock[member];
      };
      return { filter: { stock }, expected: idsOf(listed.filter(isFound)) };
    }),
  );
}

export function memberChecks(state: State): Check[] {
  const listed = shownProducts(state);
  return Object.entries(COMPARED).flatMap(([member, valuesOf]) => {
    const values = [...new Set(listed.flatMap(valuesOf))].filter((value) => value !== null);
    const filters = member === 'categoryIds' ? categoryFilters(state) : filtersOf(values);
    return filters.map((filter) => {
      const isFound = (product: Product) =>
        isComparable(member, filter, product) &&
        matches(valuesOf(product), withBelow(state, filter)) &&
        (member !== 'sku' || isOfOneVariant(product, filter));
      return { filter: { [member]: filter }, expected: idsOf(listed.filter(isFound)) };
    });
  });
}

function filtersOf(values: readonly string[]): Filter[] {
  const [one = 'none'] = values;
  // Several values, and not all if there are many.
  const some = values.length > 0 ? values.filter((_, index) => index !== 2) : [one];
  const together = { eq: one, in: values.length > 1 ? values.slice(1) : some };
  const single = [
    { eq: one },
    { ne: one },
    { in: some },
    { nin: some },
    { in: [] },
    { isNull: true },
    { isNull: false },
  ];
  return [...single, together];
}

/** `CategoryFilterInput` has no `ne`. All categories may be below one that a product has. */
function categoryFilters({ named, automated }: State): Filter[] {
  const ids = idsOf([...named.category, ...automated]);
  const filters = filtersOf(ids).filter(({ ne }) => ne === undefined);
  const each = ids.slice(0, MAX_CATEGORIES).map((id): Filter => ({ eq: id }));
  const below = [...each, ...filters.filter(({ nin }) => nin)].map((one) => ({ ...one, includeSubcategories: true }));
  return [...filters, ...below];
}

/** The condition on the categories that are included, too. Only `eq` and `nin` are sent with subcategories. */
function withBelow(state: State, filter: Filter): Filter {
  const { includeSubcategories, eq, nin } = filter;
  if (!includeSubcategories) return filter;
  return eq === undefined ? { nin: withSubcategories(state, nin!) } : { in: withSubcategories(state, [eq]) };
}

/** Conditions on variants with `isNull: true` hold for products that have variants. */
function isComparable(member: string, { isNull }: Filter, { variants }: Product): boolean {
  return member !== 'sku' || isNull !== true || shown(variants).length > 0;
}

/** On a list, `eq` and `in` may hold for different entries. */
function matches(stored: readonly (string | null)[], filter: Filter): boolean {
  const values = stored.filter((value) => value !== null);
  const has = (wanted: readonly string[]) => values.some((value) => wanted.includes(value));
  if (filter.isNull !== undefined) return (values.length === 0) === filter.isNull;
  if (filter.ne !== undefined || filter.nin !== undefined) return !has(filter.nin ?? [filter.ne!]);
  return (filter.eq === undefined || has([filter.eq])) && (filter.in === undefined || has(filter.in));
}

/** One variant has to meet `eq` and `in`. */
function isOfOneVariant({ variants }: Product, { eq, in: anyOf }: Filter): boolean {
  if (eq === undefined || anyOf === undefined) return true;
  return anyOf.includes(eq) && shown(variants).some(({ sku }) => sku === eq);
}

/** What was read of a list. `count`: that of the first page. `after`: null after the last page. */
type List = { filter: object; ids: string[]; count: number; after: string | null | undefined };
type Page = { count: number; data: { id: string }[]; hasNext: boolean; endCursor: string | null };

/** Reads the next page of each list: the newest product first. */
async function readPages(query: Query, lists: readonly List[]): Promise<void> {
  const fields = lists.map(({ filter, after }, index) => {
    const pagination = { limit: PAGE, ...(after && { after }) };
    const args = literal({ ...filter, pagination }).slice(1, -1);
    return `list${index}: listProduct(${args}) { count data { id } hasNext endCursor }`;
  });
  const { data, errors } = await query(`{ ${fields.join('\n')} }`);
  if (errors) throw new Error(`${fields.join('\n')}: ${JSON.stringify(errors)}`);
  for (const [index, list] of lists.entries()) {
    const page = data![`list${index}`] as Page;
    list.ids.push(...page.data.map(({ id }) => id));
    if (list.after === undefined) list.count = page.count;
    compare(`count of a later page of ${JSON.stringify(list.filter)}`, page.count, list.count);
    list.after = page.hasNext ? page.endCursor : null;
  }
}

/** As GraphQL writes values: the names of members have no quotation marks. */
export function literal(value: object): string {
  return JSON.stringify(value).replaceAll(/"(\w+)":/g, '$1:');
}
