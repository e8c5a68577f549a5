import { sql } from 'drizzle-orm';
import { priceList } from '../../../drizzle/price-list.ts';
import { aliased, type SqlScope } from '../../db/read/projection.ts';
import { addOnce, addSharedText } from '../../db/read/relations.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { isDynamic, MAX_DYNAMIC_LISTS } from '../../price-list/dynamic-list.ts';
import { computedPrices } from './computed-prices.ts';
import type { Currency } from './price-currency.ts';

/** A price list with rules that may compute prices. */
export type DynamicPriceList = Currency & {
  id: string;
  currency: string;
  addProductsAutomatically: boolean | null;
  /** Plain SQL can store any JSON list. */
  ruleList: unknown[];
};

/**
 * Adds the merchant's dynamic price lists, the oldest first, to the texts that are read once per page, and returns the
 * index. The value there is `ComputedPrices`, or null if no list computes prices.
 */
export function dynamicPriceLists(scope: SqlScope): number {
  return addOnce(scope, 'dynamic price lists', () => addDynamicPriceLists(scope));
}

function addDynamicPriceLists(scope: SqlScope): number {
  const { row: list, from } = aliased(scope, priceList);
  return addSharedText(
    scope,
    sql`coalesce((
      select json_agg(json_build_object(
        'id', id, 'currency', currency, 'currencyCode', currency_code, 'currencySymbol', currency_symbol,
        'addProductsAutomatically', add_products_automatically, 'ruleList', rule_list))::text
      from (
        select ${list.id}, ${list.currency}, ${list.currencyCode}, ${list.currencySymbol},
          ${list.addProductsAutomatically}, ${list.ruleList}
        from ${from} where ${ownedBy(scope.tenant, list)} and ${isDynamic(list)}
        order by ${list.createdAt}, ${list.id} limit ${sql.raw(String(MAX_DYNAMIC_LISTS))}
      ) as dynamic
    ), 'null')`,
    computedPrices,
  );
}
