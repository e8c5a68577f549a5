import { shownProducts } from './automated.ts';
import { literal, memberChecks, stockChecks } from './filters.ts';
import { compare, type Query } from './play.ts';
import { byId, folded, idsOf, type Kind, type Product, shown, type State } from './state.ts';

/** Conditions of `searchProducts` that are those of `listProduct`. */
const SHARED = ['brandId', 'categoryIds', 'tagIds', 'salesChannelIds', 'stock'];
/** For each facet: the member of a product whose ids it counts, and the kind of record that these ids name. */
const FACETS = {
  BRAND: ['brandId', 'brand'],
  CATEGORY: ['categoryIds', 'category'],
  TAG: ['tagIds', 'tag'],
} as const satisfies Record<string, readonly [keyof Product, Kind]>;
/** Searches with facets in one request. Each costs about a quarter of what a request may cost. */
const MAX_SEARCHES = 3;
/** One search in so many conditions is sent, because searches take long. `filters.ts` sends all to `listProduct`. */
const PARTS = 3;

/** A search, and the ids that it must find. */
type Search = { input: { query?: string; [member: string]: unknown }; expected: string[] };
type Facet = { field: string; values: { id: string; name: string; count: number }[] };
type Found = { totalCount: number; results: { id: string }[]; facets: Facet[] };

/** Compares what searches find, and their facets, with the model. */
export async function checkSearch(query: Query, state: State): Promise<void> {
  const listed = shownProducts(state);
  const searches = [...conditionSearches(state), ...wordSearches(state, listed)];
  for (let start = 0; start < searches.length; start += MAX_SEARCHES) {
    const some = searches.slice(start, start + MAX_SEARCHES);
    const fields = some.map(({ input }, index) => {
      const args = literal({ input: { ...input, pagination: { limit: 200 } } }).slice(1, -1);
      return `search${index}: searchProducts(${args}) {
        totalCount results { id } facets { field values { id name count } }
      }`;
    });
    const { data, errors } = await query(`{ ${fields.join('\n')} }`);
    if (errors) throw new Error(`${fields.join('\n')}: ${JSON.stringify(errors)}`);
    for (const [index, search] of some.entries())
      checkFound({ state, listed }, search, data![`search${index}`] as Found);
  }
}

/** `listed`: the products that are not deleted, with all their categories. */
type Shop = { state: State; listed: readonly Product[] };

function checkFound({ state, listed }: Shop, { input, expected }: Search, found: Found): void {
  const { totalCount, results, facets } = found;
  const what = `search ${JSON.stringify(input)}`;
  const ids = idsOf(results);
  if (input.query === undefined) compare(what, ids, expected.toReversed());
  else compare(what, ids.toSorted(), expected.toSorted());
  compare(`number of ${what}`, totalCount, expected.length);
  for (const [field, [member, kind]] of Object.entries(FACETS)) {
    // A facet leaves out the condition on its own values.
    const counted = listed.filter(({ id }) => member in input || expected.includes(id));
    const { values } = facets.find((facet) => facet.field === field)!;
    compare(`order of ${field} of ${what}`, isDescending(values.map(({ count }) => count)), true);
    const counts = values.map(({ id, name, count }) => [id, { name, count }] as const);
    compare(`${field} of ${what}`, Object.fromEntries(counts), facetOf(state, counted, member, kind));
  }
}

function isDescending(counts: readonly number[]): boolean {
  return counts.every((count, index) => index === 0 || count <= counts[index - 1]!);
}

function facetOf(state: State, products: readonly Product[], member: keyof Product, kind: Kind): object {
  const values = products.flatMap((product) => [product[member]].flat() as (string | null)[]);
  const facet = [...Map.groupBy(values, (id) => byId(recordsOf(state, kind), id ?? undefined))].flatMap(
    ([value, { length }]) => (value ? [[value.id, { name: value.name, count: length }] as const] : []),
  );
  return Object.fromEntries(facet);
}

/** Searches by ids and skus, by no condition, and by every third condition. Which third depends on the number of products. */
function conditionSearches(state: State): Search[] {
  const listed = shown(state.products);
  const shared = [...memberChecks(state), ...stockChecks(state)].filter(({ filter }) =>
    SHARED.some((member) => member in filter),
  );
  const conditions = shared.flatMap(({ filter, expected }, index) =>
    index % PARTS === listed.length % PARTS ? [{ input: { ...filter }, expected }] : [],
  );
  const skus = [...new Set(listed.flatMap(skusOf))].slice(0, 2);
  const ids = idsOf(state.products).slice(0, 2);
  return [
    { input: {}, expected: idsOf(listed) },
    { input: { productIdList: ids }, expected: idsOf(listed.filter(({ id }) => ids.includes(id))) },
    {
      input: { skuList: skus },
      expected: idsOf(listed.filter((one) => skusOf(one).some((sku) => skus.includes(sku)))),
    },
    ...conditions,
  ];
}

/**
 * Searches for each word that a product has or had, and for each word together with the next one. The words differ so
 * much that the service takes none for a misspelling of another one.
 */
function wordSearches(state: State, listed: readonly Product[]): Search[] {
  const texts = listed.map((product) => [product.id, wordsOf(state, product)] as const);
  const known = state.products.flatMap(({ name, variants }) => [name, ...variants.flatMap(({ sku }) => sku ?? [])]);
  const words = [...new Set([...texts.flatMap(([, own]) => own), ...known.map(folded)])];
  const queries = words.flatMap((word, index) => (index === 0 ? [[word]] : [[word], [words[index - 1]!, word]]));
  return queries.map((wanted) => ({
    input: { query: wanted.join(' ') },
    expected: texts
      .filter(([, own]) => wanted.every((word) => own.some((text) => text.startsWith(word))))
      .map(([id]) => id),
  }));
}

/** The words that find a product: of its name, its skus, and the names of its brand, categories and tags. */
function wordsOf(state: State, product: Product): string[] {
  const referred = Object.values(FACETS).flatMap(([member, kind]) =>
    recordsOf(state, kind).filter(({ id }) => [product[member]].flat().some((one) => one === id)),
  );
  const texts = [product.name, ...skusOf(product), ...referred.map(({ name }) => name)];
  return texts.flatMap((text) => folded(text).split(' '));
}

/** Those that are not deleted. */
function recordsOf({ named, automated }: State, kind: Kind): { id: string; name: string }[] {
  return shown([...named[kind], ...(kind === 'category' ? automated : [])]);
}

function skusOf({ variants }: Product): string[] {
  return shown(variants).flatMap(({ sku }) => sku ?? []);
}
