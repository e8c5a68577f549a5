import { aliasedTable, sql } from 'drizzle-orm';
import { product, type variant } from '../../../drizzle/product.ts';
import type { StoredPrice } from '../../../drizzle/product-values.ts';
import { type DerivedMember, documents, selectedMembers } from '../../db/read/fields.ts';
import { type JsonExpression, PAGE, placeholder, type SqlScope } from '../../db/read/projection.ts';
import { listText, storedObjects } from '../../db/read/stored-list.ts';
import type { ProductPrice } from '../../graphql/generated/types.ts';
import type { ComputedPrices } from './computed-prices.ts';
import { dynamicPriceLists } from './dynamic-price-lists.ts';
import { currencyJoin, currencyMembers, type ShownPrice } from './price-currency.ts';

const derived: Record<string, DerivedMember<ShownPrice>> = {
  ...currencyMembers,
  isComputed: () => (price) => price.computedBy !== undefined,
};

/** The saved prices of a variant. Events have them, and no members that they did not always have. */
export function savedPrices(row: typeof variant, scope: SqlScope): JsonExpression<ProductPrice[]> {
  return {
    ...documents<ProductPrice, ShownPrice>(scope, row.prices, derived),
    event: { kind: 'documents', column: row.prices, derive: currencyJoin, omitted: ['isComputed'] },
  };
}

/**
 * The saved prices, and those that the price lists of the product compute. Computed prices are not stored: a page reads
 * the rules once, and Node computes the prices of its variants.
 */
export function shownPrices(row: typeof variant, scope: SqlScope): JsonExpression<ProductPrice[]> {
  const place = dynamicPriceLists(scope);
  const members = selectedMembers<ShownPrice>(scope, derived);
  const { dynamicPriceListIds } = aliasedTable(product, PAGE);
  // Postgres writes a uuid array as {id,id}.
  const stored = sql`${dynamicPriceListIds}::text || coalesce(${row.prices}::text, '[]')`;
  return placeholder(scope, stored, (text, page) => {
    const end = text.indexOf('}');
    const saved = text.slice(end + 1);
    const lists = page.value(place) as ComputedPrices | null;
    if (lists === null) return members.text(listText(saved), page);
    const prices = lists.shown(storedObjects<StoredPrice>(saved), text.slice(1, end).split(','));
    return JSON.stringify(prices.map((price) => members.entry(price, page)));
  });
}
