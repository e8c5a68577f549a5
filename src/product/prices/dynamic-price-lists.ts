import { type SQL, sql } from 'drizzle-orm';
import { merchant } from '../../../drizzle/merchant.ts';
import { priceList } from '../../../drizzle/price-list.ts';
import { aliased, type SqlScope } from '../../db/read/projection.ts';
import { addOnce, addSharedText } from '../../db/read/relations.ts';
import { idOf, listElements } from '../../db/read/stored-list.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
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

/** `bases`: the lists that rules start from. `currencyCode` is that of base prices. */
export type DynamicPriceLists = {
  readonly lists: readonly DynamicPriceList[];
  readonly bases: readonly (Pick<Currency, 'currencyCode'> & { id: string; currency: string })[] | null;
  readonly currencyCode: string;
};

function addDynamicPriceLists(scope: SqlScope): number {
  const { row: list, from } = aliased(scope, priceList);
  const { row: own, from: merchants } = aliased(scope, merchant);
  return addSharedText(
    scope,
    sql`(
      select case when count(*) > 0 then json_build_object(
        'lists', json_agg(json_build_object(
          'id', id, 'currency', currency, 'currencyCode', currency_code, 'currencySymbol', currency_symbol,
          'addProductsAutomatically', add_products_automatically, 'ruleList', rule_list)),
        'bases', ${baseLists(scope)},
        'currencyCode', (select ${own.currencyCode} from ${merchants} where ${ownedBy(scope.tenant, own)}))::text
        else 'null' end
      from (
        select ${list.id}, ${list.currency}, ${list.currencyCode}, ${list.currencySymbol},
          ${list.addProductsAutomatically}, ${list.ruleList}
        from ${from} where ${ownedBy(scope.tenant, list)} and ${isDynamic(list)}
        order by ${list.createdAt}, ${list.id} limit ${sql.raw(String(MAX_DYNAMIC_LISTS))}
      ) as dynamic
    )`,
    computedPrices,
  );
}

function baseLists(scope: SqlScope): SQL {
  const { row: base, from } = aliased(scope, priceList);
  const { row: list, from: lists } = aliased(scope, priceList);
  return sql`(
    select json_agg(json_build_object(
      'id', ${base.id}, 'currency', ${base.currency}, 'currencyCode', ${base.currencyCode}))
    from ${from} where ${ownedBy(scope.tenant, base)} and ${base.id} = any(array(
      select ${idOf(sql`entry ->> 'basePriceListId'`)} from ${lists}, ${listElements(list.ruleList)} as listed(entry)
      where ${ownedBy(scope.tenant, list)} and ${isDynamic(list)})))`;
}
