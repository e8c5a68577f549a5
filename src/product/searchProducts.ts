import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { productSearch } from '../../drizzle/product-search.ts';
import { product, variant } from '../../drizzle/product.ts';
import type { Context } from '../context.ts';
import { compiledProjection } from '../db/read/compile.ts';
import { pageRequest, type PageRequest } from '../db/read/pagination.ts';
import { idArray, textArray } from '../db/sql/parameter.ts';
import { readRecordRows } from '../db/read/read.ts';
import { maxSentBytes, type RecordRow, recordRows, pageColumns } from '../db/read/record-rows.ts';
import { PAGE, type Selection } from '../db/read/projection.ts';
import { render, CompiledStatement } from '../db/sql/compiled-statement.ts';
import { ownedBy, ownedByFirstParameter } from '../db/sql/tenant.ts';
import { argumentInvalid } from '../errors.ts';
import { parseInput } from '../field-input.ts';
import type {
  Product,
  ProductSearchFacet,
  ProductSearchResponse,
  QuerySearchProductsArgs,
} from '../graphql/generated/types.ts';
import { updateSearchDocuments } from './search/search-documents.ts';
import { productShape } from './product.ts';
import { searchFacets } from './search/search-facets.ts';
import { searchInput, type SearchInput } from './search/search-input.ts';
import { correctTerms, findTerms, searchQuery, type Terms } from './search/search-terms.ts';

export async function searchProducts(
  ctx: Context,
  args: QuerySearchProductsArgs,
  selection: Selection,
): Promise<ProductSearchResponse> {
  const input = parseInput(searchInput, args.input);
  const page = pageRequest(input.pagination, ['input', 'pagination']);
  if (page.after !== null)
    throw argumentInvalid([
      { path: ['input', 'pagination', 'after'], message: 'must be left out: a search is paged by `page`' },
    ]);
  const search = { input, page, selection };
  if (!input.query?.trim()) return await read(ctx, search, null);
  let terms = await findTerms(ctx, input.query);
  if (terms.hasPendingDocuments) {
    await updateSearchDocuments(ctx);
    terms = await findTerms(ctx, input.query);
  }
  const response = await read(ctx, search, terms);
  if (response.count > 0) return response;
  // Nothing on this page: only now it pays to ask whether a word is unknown, and what it may stand for.
  const corrected = await correctTerms(ctx, terms);
  return corrected ? await read(ctx, search, corrected) : response;
}

type Search = { input: SearchInput; page: PageRequest; selection: Selection };
type AboutSearch = { found: number; totalCount: number; facets: ProductSearchFacet[] };

async function read(
  ctx: Context,
  { input, page, selection }: Search,
  terms: Terms | null,
): Promise<ProductSearchResponse> {
  const { from, order } = terms ? relevant(ctx, input, terms) : newest(ctx, input);
  const skipped = (page.page - 1) * page.limit;
  const bytesMax = maxSentBytes(ctx);
  const compiled = compiledProjection(productShape, selection.results ?? {});
  const { sql: text, params } = render(sql`
    with matches as ${from},
    hits as (
      select page.id, (row_number() over ())::int as n from (
        select matches.id from matches order by ${order} limit ${sql.raw(`${page.limit + 1}${skipped > 0 ? ` offset ${skipped}` : ''}`)}
      ) as page
    ),
    ${sql.identifier(PAGE)} as materialized (
      select ${pageColumns(product, compiled)} from hits join ${product} on ${ownedByFirstParameter(product)} and ${product.id} = hits.id order by hits.n
    )
    ${recordRows(compiled, page.limit, bytesMax, [
      { name: 'found', sql: sql`(select count(*) from hits)::text` },
      { name: 'totalCount', sql: selection.totalCount ? sql`(select count(*) from matches)::text` : sql.raw(`'0'`) },
      { name: 'facets', sql: selection.facets ? searchFacets(ctx) : sql.raw(`'[]'`) },
    ])}`);
  const rows = await ctx.db.execute<RecordRow>(new CompiledStatement(text, params));
  const { about, records } = await readRecordRows<AboutSearch, Product>(ctx, compiled, rows, bytesMax);
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

type Matches = { from: SQL; order: SQL };

/** All matches are read once: the order, the count and the facets need each of them. */
function relevant(ctx: Context, input: SearchInput, terms: Terms): Matches {
  const { match, code, relevance } = searchQuery(terms);
  const conditions = [
    ownedBy(ctx, productSearch),
    sql`${productSearch.document} @@ ${match}::tsquery`,
    ...filters(ctx, productSearch.productId, input),
  ];
  return {
    from: sql`materialized (
      select hit.id, degree.is_code, degree.rank
      from (select ${productSearch.productId} as id, ${productSearch.document} as document from ${productSearch} where ${sql.join(conditions, sql` and `)}) as hit
      cross join lateral (select hit.document @@ ${code}::tsquery as is_code, ts_rank(hit.document, ${relevance}::tsquery) as rank) as degree
    )`,
    order: sql`matches.is_code desc, matches.rank desc, matches.id desc`,
  };
}

function newest(ctx: Context, input: SearchInput): Matches {
  const conditions = [ownedBy(ctx, product), sql`not ${product.deleted}`, ...filters(ctx, product.id, input)];
  return {
    from: sql`not materialized (select ${product.id} as id, ${product.createdAt} as created_at from ${product} where ${sql.join(conditions, sql` and `)})`,
    order: sql`matches.created_at desc, matches.id`,
  };
}

function filters(ctx: Context, id: AnyPgColumn, { productIdList, skuList, barcodeList }: SearchInput): SQL[] {
  const withVariant = (condition: SQL): SQL => sql`
    ${id} in (select ${variant.productId} from ${variant} where ${ownedBy(ctx, variant)} and not ${variant.deleted} and ${condition})`;
  return [
    ...(productIdList ? [sql`${id} = any(${idArray(productIdList)})`] : []),
    ...(skuList ? [withVariant(sql`${variant.sku} = any(${textArray(skuList)})`)] : []),
    ...(barcodeList ? [withVariant(sql`${variant.barcodeList} && ${textArray(barcodeList)}`)] : []),
  ];
}
