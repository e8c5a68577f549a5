import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { priceList } from '../../drizzle/price-list.ts';
import { listElements } from '../db/read/stored-list.ts';
import { ownedBy, type Tenant } from '../db/sql/parameter.ts';
import type { InputPath, Issue } from '../errors.ts';
import { type PriceFormula, priceFormula } from './price-formula.ts';
import { type RuleList, storedRuleList } from './price-list-input.ts';
import { type Rounding, ROUNDING_FORMAT_RULE, roundingOf, toCurrency } from './price-rounding.ts';

/**
 * Limits of the lists that compute prices. A page computes a price for each variant and list, so they bound its time.
 * The SDL documents them.
 */
export const MAX_DYNAMIC_LISTS = 50;
const MAX_ENTRIES = 5;
const MAX_RULES = 100;

type PriceListTable = typeof priceList;
type PriceListRow = { type?: string | null; deleted: boolean; ruleList?: RuleList | null };

/**
 * SQL condition: the price list has rules that compute prices. It repeats the predicate of the index
 * `price_list_dynamic`, and is null for a list without a type.
 */
export function isDynamic(list: PriceListTable): SQL {
  return sql`${list.type} in ('DYNAMIC', 'DYNAMIC_RATE') and not ${list.deleted}
    and json_array_length(case when json_typeof(${list.ruleList}) = 'array' then ${list.ruleList} end) > 0`;
}

/**
 * SQL condition: the price list computes prices, since an entry has no rate or a known one. Rules that plain SQL stored
 * count here even if `priceFormulas` cannot read them. Never null.
 */
export function computesPrices(list: PriceListTable): SQL {
  return sql`(${isDynamic(list)} and ${hasComputingRules(list.ruleList)}) is true`;
}

/** SQL condition: the rules compute prices while the type of their list is a dynamic one. */
export function hasComputingRules(ruleList: SQL | AnyPgColumn): SQL {
  return sql`exists (
    select from ${listElements(ruleList)} as entry
    where entry ->> 'currencyRateSettings' is null
      or entry #>> '{currencyRateSettings,type}' <> 'CURRENT_RATE' and entry #>> '{currencyRateSettings,amount}' is not null
  )`;
}

/** SQL condition: `computesPrices` holds for a list of the merchant. */
export function hasDynamicPriceLists(tenant: Tenant): SQL<boolean> {
  // Not by computesPrices(): its IS TRUE hides the predicate of the index.
  return sql`exists (
    select from ${priceList}
    where ${ownedBy(tenant, priceList)} and ${isDynamic(priceList)} and ${hasComputingRules(priceList.ruleList)})`;
}

/** Whether the price list, as it is to be saved, has rules that compute prices: `isDynamic` of its row. */
export function isDynamicRow({ type, deleted, ruleList }: PriceListRow): boolean {
  return isDynamicType(type) && !deleted && Array.isArray(ruleList) && ruleList.length > 0;
}

export function isDynamicType(type: string | null | undefined): boolean {
  return type === 'DYNAMIC' || type === 'DYNAMIC_RATE';
}

/** What keeps the rules of a price list from computing prices. */
export function ruleListIssues(ruleList: RuleList, path: InputPath): Issue[] {
  const rules = ruleList.reduce((total, entry) => total + entry.rules.length, 0);
  return [
    ...(ruleList.length > MAX_ENTRIES ? [{ path, message: `must have at most ${MAX_ENTRIES} entries` }] : []),
    ...(rules > MAX_RULES ? [{ path, message: `must have at most ${MAX_RULES} rules together` }] : []),
    ...ruleList.flatMap(({ currencySettings: { roundingFormat: format } }, index) =>
      !format || roundingOf(format)
        ? []
        : [{ path: [...path, index, 'currencySettings', 'roundingFormat'], message: ROUNDING_FORMAT_RULE }],
    ),
  ];
}

/**
 * The entries of a stored rule list that give prices, in their order. Without one, the list does not compute: its
 * prices are the rows that are saved.
 */
export function priceFormulas(ruleList: unknown, currency: string): PriceFormula[] {
  const entries = storedRuleList(ruleList);
  if (!entries || ruleListIssues(entries, []).length > 0) return [];
  // At most once for the list: Intl takes 0.2 ms.
  let usual: Rounding | undefined;
  return entries.flatMap((entry) => priceFormula(entry, () => (usual ??= toCurrency(currency))) ?? []);
}
