import { type SQL, sql } from 'drizzle-orm';
import { productPrice } from '../../../drizzle/product-price.ts';
import { product } from '../../../drizzle/product.ts';
import { parseSort } from '../../db/read/pagination.ts';
import { type Tenant, ownedBy } from '../../db/sql/parameter.ts';
import { invalidAt } from '../../errors.ts';
import { priceListLiteral } from '../filter/price-filter.ts';

const RELEVANCE = 'relevance';

/** The order of a search. Without a query `relevance` is newest first. */
export type SearchOrder = { key: typeof RELEVANCE | keyof typeof KEYS; descending: boolean };

/** The value that matches are sorted by, and what is joined to `product` to read it. */
type SortValue = { value: SQL; joined?: SQL };

const KEYS = {
  createdAt: (): SortValue => ({ value: sql`${product.createdAt}` }),
  name: (): SortValue => ({ value: sql`${product.name} collate "und-x-icu"` }),
  price: (tenant: Tenant, priceListId: string | null | undefined): SortValue => ({
    value: sql`${productPrice.lowest}`,
    joined: sql`left join ${productPrice} on ${ownedBy(tenant, productPrice)} and ${productPrice.productId} = ${product.id}
      and ${productPrice.priceListId} = ${priceListLiteral(priceListId)}`,
  }),
};

export function searchOrder(sort: string | null | undefined, hasQuery: boolean): SearchOrder {
  if (sort == null || sort === RELEVANCE)
    return hasQuery ? { key: RELEVANCE, descending: true } : { key: 'createdAt', descending: true };
  const { name, descending } = parseSort(sort);
  if (Object.hasOwn(KEYS, name)) return { key: name as keyof typeof KEYS, descending };
  const allowed = Object.keys(KEYS).join(', ');
  throw invalidAt(['input', 'sort'], `must be ${RELEVANCE}, or one of ${allowed}, with - before it for descending`);
}

/** Returns null for the order by relevance, which is computed from the search document. */
export function sortValue(
  tenant: Tenant,
  { key }: SearchOrder,
  priceListId: string | null | undefined,
): SortValue | null {
  return key === RELEVANCE ? null : KEYS[key](tenant, priceListId);
}

/** The ORDER BY of the rows of `matches`. Equal rows are ordered by id, and products without a price come last. */
export function orderOfMatches({ key, descending }: SearchOrder): SQL {
  if (key === RELEVANCE) return sql`matches.exactness desc, matches.rank desc, matches.id desc`;
  const direction = sql.raw(`${descending ? 'desc' : 'asc'}${key === 'price' ? ' nulls last' : ''}`);
  return sql`matches.sort_value ${direction}, matches.id`;
}
