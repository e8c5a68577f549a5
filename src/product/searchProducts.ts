import { sql } from 'drizzle-orm';
import { product } from '../../drizzle/product.ts';
import type { Context } from '../context.ts';
import { compiledProjection } from '../db/read/compile.ts';
import { completedRecords, maxSentBytes, readRecordRows } from '../db/read/complete-records.ts';
import { pageRequest, type PageRequest } from '../db/read/pagination.ts';
import { PAGE, type Selection } from '../db/read/projection.ts';
import { pageColumns, recordRows } from '../db/read/record-rows.ts';
import { plannedForValues } from '../db/sql/compiled-statement.ts';
import { ownedByFirstParameter, type Tenant } from '../db/sql/parameter.ts';
import { invalidAt } from '../errors.ts';
import { parseInput } from '../field-input.ts';
import type {
  Product,
  ProductSearchFacet,
  ProductSearchResponse,
  QuerySearchProductsArgs,
} from '../graphql/generated/types.ts';
import { resolveConditions } from './filter/product-filters.ts';
import { shownProduct } from './product.ts';
import { correctTerms } from './search/correct-terms.ts';
import { updateSearchDocuments } from './search/search-documents.ts';
import { searchFacets } from './search/search-facets.ts';
import { searchConditions, searchInput, type UncheckedSearch } from './search/search-input.ts';
import { hasConditions, searchMatches, type Wanted } from './search/search-matches.ts';
import { searchOrder } from './search/search-order.ts';
import { findTerms } from './search/search-terms.ts';

export async function searchProducts(
  ctx: Context,
  args: QuerySearchProductsArgs,
  selection: Selection,
): Promise<ProductSearchResponse> {
  const unchecked: UncheckedSearch = args.input;
  const { query, sort, pagination, ...lists } = parseInput(searchInput, unchecked);
  const page = pageRequest(pagination, ['input', 'pagination']);
  if (page.after !== null)
    throw invalidAt(['input', 'pagination', 'after'], 'must be left out: a search is paged by `page`');
  const text = query?.trim() ? query : null;
  const order = searchOrder(sort, text !== null);
  const conditions = await resolveConditions(ctx, searchConditions(args.input), ['input']);
  const search = { page, selection, lists, conditions, order, terms: null };
  if (text === null) return await read(ctx, search);
  let terms = await findTerms(ctx, text);
  if (terms.hasPendingDocuments) {
    await updateSearchDocuments(ctx);
    terms = await findTerms(ctx, text);
  }
  const response = await read(ctx, { ...search, terms });
  if (response.count > 0) return response;
  // Only an empty page is worth the time to look for misspelled words.
  const corrected = await correctTerms(ctx, terms);
  return corrected ? await read(ctx, { ...search, terms: corrected }) : response;
}

type Search = Wanted & { page: PageRequest; selection: Selection };
/** `found` counts the page and one more product. */
type AboutSearch = { found: number; totalCount: number; facets: ProductSearchFacet[] };

/**
 * One statement reads page, count and facets. With conditions it is planned for their values, as in listProduct; with a
 * query for the merchant: the generic plan is for an average merchant, and for a large one it reads all documents if
 * many entries were pending in their index when it was made.
 */
async function read(ctx: Context, { page, selection, ...wanted }: Search): Promise<ProductSearchResponse> {
  const maxBytes = maxSentBytes(ctx);
  const compiled = compiledProjection(ctx, shownProduct(ctx), selection.results ?? {});
  const isPlannedForValues = wanted.terms !== null || hasConditions(wanted.conditions);
  const tenant: Tenant = { merchantId: ctx.merchantId, isLiteral: isPlannedForValues };
  const { body, order } = searchMatches(tenant, wanted, Boolean(selection.totalCount ?? selection.facets));
  const facets = selection.facets ? searchFacets(tenant, wanted) : null;
  const skipped = (page.page - 1) * page.limit;
  const limit = sql.raw(`${page.limit + 1}${skipped > 0 ? ` offset ${skipped}` : ''}`);
  const statement = sql`
    with matches as ${body},
    ${facets?.sets ?? sql``}
    hits as (
      select page.id, (row_number() over ())::int as n
      from (select matches.id from matches order by ${order} limit ${limit}) as page
    ),
    ${sql.identifier(PAGE)} as materialized (
      select ${pageColumns(product, compiled)}
      from hits join ${product} on ${ownedByFirstParameter(product)} and ${product.id} = hits.id order by hits.n
    )
    ${recordRows(compiled, page.limit, maxBytes, [
      { name: 'found', sql: sql`(select count(*) from hits)::text` },
      { name: 'totalCount', sql: selection.totalCount ? sql`(select count(*) from matches)::text` : sql.raw(`'0'`) },
      { name: 'facets', sql: facets?.counts ?? sql.raw(`'[]'`) },
    ])}`;
  const rows = await readRecordRows(ctx, isPlannedForValues ? plannedForValues(statement) : statement);
  const about = JSON.parse(rows[0]!.data!) as AboutSearch;
  const records = await completedRecords<Product>(ctx, compiled, { rows, first: 1 }, maxBytes);
  ctx.responseSize?.read(rows[0]!.data!.length);
  return {
    count: Math.min(about.found, page.limit),
    totalCount: about.totalCount,
    limit: page.limit,
    page: page.page,
    hasNext: about.found > page.limit,
    results: records.data,
    facets: about.facets,
  };
}
