import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { productSearch } from '../../../drizzle/product-search.ts';
import { product, variant } from '../../../drizzle/product.ts';
import type { Context } from '../../context.ts';
import { idArray, textArray } from '../../db/sql/parameter.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import type { SearchInput } from './search-input.ts';
import { searchQuery, type SearchQuery } from './search-query.ts';
import type { Terms } from './search-terms.ts';

/** Factor of the rank of a product that has the words of the query one after the other in any text. */
const PHRASE_FACTOR = 2;

/** The body of the common table expression `matches`, and the order of its rows. */
export type Matches = { body: SQL; order: SQL };

export function searchMatches(ctx: Context, input: SearchInput, terms: Terms | null): Matches {
  return terms ? relevantProducts(ctx, input, terms) : newestProducts(ctx, input);
}

/** Materialized: the order, the count and the facets all read every match. */
function relevantProducts(ctx: Context, input: SearchInput, terms: Terms): Matches {
  const query = searchQuery(terms);
  const conditions = [
    ownedBy(ctx, productSearch),
    sql`${productSearch.document} @@ ${query.match}::tsquery`,
    ...filters(ctx, productSearch.productId, input),
  ];
  return {
    body: sql`materialized (
      select hit.id, degree.exactness, degree.rank
      from (
        select ${productSearch.productId} as id, ${productSearch.document} as document
        from ${productSearch} where ${sql.join(conditions, sql` and `)}
      ) as hit
      cross join lateral (
        select ${exactness(query)} as exactness, ${rank(query)} as rank
      ) as degree
    )`,
    order: sql`matches.exactness desc, matches.rank desc, matches.id desc`,
  };
}

/** 3: the query is a code of the product, 2: one of its names, 1: a phrase; see `SearchQuery`. */
function exactness({ code, name, phrase }: SearchQuery): SQL {
  return sql`case when hit.document @@ ${code}::tsquery then 3 when hit.document @@ ${name}::tsquery then 2
    ${phrase === null ? sql`` : sql`when hit.document @@ ${phrase}::tsquery then 1`} else 0 end`;
}

function rank({ relevance, wholeWords, nearby }: SearchQuery): SQL {
  const words = wholeWords === null ? sql`` : sql` + ts_rank(hit.document, ${wholeWords}::tsquery)`;
  const factor =
    nearby === null
      ? sql``
      : sql` * case when hit.document @@ ${nearby}::tsquery then ${sql.raw(String(PHRASE_FACTOR))} else 1 end`;
  return sql`(ts_rank(hit.document, ${relevance}::tsquery)${words})${factor}`;
}

function newestProducts(ctx: Context, input: SearchInput): Matches {
  const conditions = [ownedBy(ctx, product), sql`not ${product.deleted}`, ...filters(ctx, product.id, input)];
  return {
    body: sql`not materialized (
      select ${product.id} as id, ${product.createdAt} as created_at
      from ${product} where ${sql.join(conditions, sql` and `)}
    )`,
    order: sql`matches.created_at desc, matches.id`,
  };
}

function filters(ctx: Context, id: AnyPgColumn, { productIdList, skuList, barcodeList }: SearchInput): SQL[] {
  const withVariant = (condition: SQL): SQL => sql`
    ${id} in (
      select ${variant.productId} from ${variant}
      where ${ownedBy(ctx, variant)} and not ${variant.deleted} and ${condition})`;
  return [
    ...(productIdList ? [sql`${id} = any(${idArray(productIdList)})`] : []),
    ...(skuList ? [withVariant(sql`${variant.sku} = any(${textArray(skuList)})`)] : []),
    ...(barcodeList ? [withVariant(sql`${variant.barcodeList} && ${textArray(barcodeList)}`)] : []),
  ];
}
