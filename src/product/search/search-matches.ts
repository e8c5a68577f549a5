import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { productSearch } from '../../../drizzle/product-search.ts';
import { product, variant } from '../../../drizzle/product.ts';
import { isTrue } from '../../db/filter/matcher.ts';
import { sqlScope } from '../../db/read/projection.ts';
import { idArray, ownedBy, type Tenant, textArray } from '../../db/sql/parameter.ts';
import { productFilters } from '../filter/product-filters.ts';
import type { SearchConditions, SearchLists } from './search-input.ts';
import { orderOfMatches, type SearchOrder, sortValue } from './search-order.ts';
import { searchQuery, type SearchQuery } from './search-query.ts';
import type { Terms } from './search-terms.ts';

/** Factor of the rank of a product that has the words of the query one after the other in any text. */
const PHRASE_FACTOR = 2;

/** What is searched for. `terms` is null without a query. */
export type Wanted = { lists: SearchLists; conditions: SearchConditions; terms: Terms | null; order: SearchOrder };

/** The body of the common table expression `matches`, and the order of its rows. */
export type Matches = { body: SQL; order: SQL };

/** `isReadOften`: besides the page, the count or a facet reads every match. */
export function searchMatches(tenant: Tenant, wanted: Wanted, isReadOften: boolean): Matches {
  const { terms, order } = wanted;
  const body =
    terms && order.key === 'relevance' ? relevantProducts(tenant, wanted, terms) : sortedProducts(tenant, wanted);
  return {
    body: sql`${sql.raw(isMaterialized(wanted, isReadOften) ? 'materialized' : 'not materialized')} (${body})`,
    order: orderOfMatches(order),
  };
}

/**
 * Whether all matches are found once and kept. With a query this is necessary, because the rank of each match is
 * computed. With conditions it takes less time than to compare the products again each time the matches are read.
 * Otherwise Postgres reads a page in the order of an index and stops at its end.
 */
export function isMaterialized({ terms, conditions }: Wanted, isReadOften: boolean): boolean {
  return terms !== null || (isReadOften && hasConditions(conditions));
}

export function hasConditions(conditions: SearchConditions): boolean {
  return Object.values(conditions).some((condition) => condition != null);
}

/** A query for the matching products, in no particular order. Its columns are `id`, and the given column as `value`. */
export function matchingProducts(tenant: Tenant, wanted: Wanted, column: AnyPgColumn): SQL {
  const { from, where } = foundProducts(tenant, wanted, true);
  return sql`select ${product.id} as id, ${column} as value from ${from} where ${where}`;
}

function relevantProducts(tenant: Tenant, wanted: Wanted, terms: Terms): SQL {
  const query = searchQuery(terms);
  const { id, from, where } = foundProducts(tenant, wanted, hasConditions(wanted.conditions));
  return sql`
    select hit.id, degree.exactness, degree.rank
    from (select ${id} as id, ${productSearch.document} as document from ${from} where ${where}) as hit
    cross join lateral (
      select ${exactness(query)} as exactness, ${rank(query)} as rank
    ) as degree`;
}

function sortedProducts(tenant: Tenant, wanted: Wanted): SQL {
  const { id, from, where } = foundProducts(tenant, wanted, true);
  const { value, joined = sql`` } = sortValue(tenant, wanted.order, wanted.conditions.price?.priceListId)!;
  return sql`select ${id} as id, ${value} as sort_value from ${from} ${joined} where ${where}`;
}

/** `readsProduct`: columns of `product` are needed, so that it is joined to the search documents. */
function foundProducts(
  tenant: Tenant,
  { lists, conditions, terms }: Wanted,
  readsProduct: boolean,
): { id: AnyPgColumn; from: SQL; where: SQL } {
  const id = terms ? productSearch.productId : product.id;
  const ofDocument = terms ? [ownedBy(tenant, productSearch), ...matching(terms)] : [];
  const ofProduct = [ownedBy(tenant, product), ...productFilters(product, sqlScope(tenant, {}), conditions)];
  const isJoined = !terms || readsProduct;
  const joined = sql`${productSearch} join ${product} on ${product.id} = ${productSearch.productId}`;
  return {
    id,
    from: terms ? (readsProduct ? joined : sql`${productSearch}`) : sql`${product}`,
    where: sql.join([...ofDocument, ...(isJoined ? ofProduct : []), ...listed(tenant, id, lists)], sql` and `),
  };
}

function matching(terms: Terms): SQL[] {
  const { match, indexed } = searchQuery(terms);
  const meets = (query: string): SQL => sql`${productSearch.document} @@ ${query}::tsquery`;
  return [...(indexed === null ? [] : [meets(indexed)]), ...(indexed === match ? [] : [isTrue(meets(match))])];
}

/** 3: the query is a code of the product, 2: one of its names, 1: a phrase; see `SearchQuery`. */
function exactness({ code, name, phrase }: SearchQuery): SQL {
  return sql`case when hit.document @@ ${code}::tsquery then 3 when hit.document @@ ${name}::tsquery then 2
    ${phrase === null ? sql`` : sql`when hit.document @@ ${phrase}::tsquery then 1`} else 0 end`;
}

function rank({ ranked, nearby }: SearchQuery): SQL {
  const ranks = ranked.map(
    ({ query, operands, weights }) =>
      sql`${operands}::integer * ts_rank(${`{${weights.join()}}`}::real[], hit.document, ${query}::tsquery)`,
  );
  const factor =
    nearby === null
      ? sql``
      : sql` * case when hit.document @@ ${nearby}::tsquery then ${sql.raw(String(PHRASE_FACTOR))} else 1 end`;
  return sql`(${sql.join(ranks, sql` + `)})${factor}`;
}

function listed(tenant: Tenant, id: AnyPgColumn, { productIdList, skuList, barcodeList }: SearchLists): SQL[] {
  const withVariant = (condition: SQL): SQL => sql`
    ${id} in (
      select ${variant.productId} from ${variant}
      where ${ownedBy(tenant, variant)} and not ${variant.deleted} and ${condition})`;
  return [
    ...(productIdList ? [sql`${id} = any(${idArray(productIdList)})`] : []),
    ...(skuList ? [withVariant(sql`${variant.sku} = any(${textArray(skuList)})`)] : []),
    ...(barcodeList ? [withVariant(sql`${variant.barcodeList} && ${textArray(barcodeList)}`)] : []),
  ];
}
