import { sql } from 'drizzle-orm';
import { merchant } from '../../../drizzle/merchant.ts';
import { priceList } from '../../../drizzle/price-list.ts';
import type { StoredPrice } from '../../../drizzle/product-values.ts';
import type { Context } from '../../context.ts';
import { column, readRows, type Row } from '../../db/connection/read-rows.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import { type InputPath, invalidAt } from '../../errors.ts';
import { isDynamic, priceFormulas } from '../../price-list/dynamic-list.ts';
import type { ProductInput, VariantInput } from '../input/product-input.ts';
import type { StoredProduct } from '../stored/stored-products.ts';
import { rowsByPriceList } from './merge-variant.ts';

type SentPrice = { currency?: string | null; priceListId?: string | null };

/**
 * The sent prices as they are saved: without rows of price lists that compute their prices, and without a currency that
 * the row has anyway, from its price list or, as a base price, from the merchant. A currency that the variant's stored
 * row has of its own stays, also if its price list has taken the same one since.
 */
export type StorablePrices = <Price extends SentPrice>(
  prices: readonly Price[],
  stored: readonly StoredPrice[] | null | undefined,
) => Price[];

const INHERITED = {
  id: column.nullable(column.text),
  currencies: column.json<(string | null)[]>,
  dynamicRules: column.unknown,
};
type Inherited = Row<typeof INHERITED>;

/** Reads what `StorablePrices` needs, if one of the prices names a currency or a price list. */
export async function storablePrices(ctx: Context, prices: readonly SentPrice[]): Promise<StorablePrices> {
  const listIds = [...new Set(prices.flatMap(({ priceListId }) => priceListId ?? []))];
  if (listIds.length === 0 && prices.every(({ currency }) => currency == null)) return (rows) => [...rows];
  return await storablePricesOf(ctx, listIds);
}

/**
 * Reads what `StorablePrices` needs for prices of these lists and base prices. Clients send back what they read: the
 * currency is not stored, so that the price follows a change of its price list's currency, and computed rows are not
 * stored, so that they go on following the rules.
 */
export async function storablePricesOf(ctx: Context, listIds: readonly string[]): Promise<StorablePrices> {
  const found = await readRows(
    ctx,
    INHERITED,
    sql`
    select null as "id", to_json(array[${merchant.currencyCode}]) as "currencies", null::json as "dynamicRules"
    from ${merchant} where ${ownedBy(ctx, merchant)}
    union all
    select ${priceList.id}, to_json(array[${priceList.currency}, ${priceList.currencyCode}]),
      case when ${isDynamic(priceList)} then ${priceList.ruleList} end
    from ${priceList} where ${ownedBy(ctx, priceList)} and ${priceList.id} = any(${idArray(listIds)})`,
  );
  const inherited = new Map(found.map((row) => [row.id, row.currencies]));
  const computing = new Set(found.filter(computes).map(({ id }) => id));
  const isInherited = ({ currency, priceListId }: SentPrice): boolean =>
    currency != null && inherited.get(priceListId ?? null)?.includes(currency) === true;
  return (rows, stored) => {
    const known = rowsByPriceList(stored);
    // The stored row of the same price list has the sent currency of its own.
    const isStored = ({ currency, priceListId }: SentPrice) => known.get(priceListId ?? null)?.currency === currency;
    return rows
      .filter(({ priceListId }) => !computing.has(priceListId ?? null))
      .map((row) => (isInherited(row) && !isStored(row) ? { ...row, currency: null } : row));
  };
}

/** The product with its prices as they are saved. Checks need the original `input`, because errors name its rows by their index. */
export function withStorablePrices(
  input: ProductInput,
  stored: StoredProduct | undefined,
  storable: StorablePrices,
): ProductInput {
  const variants = input.variants.map((variant) => {
    const prices = storable(variant.prices, stored?.variants.get(variant.id ?? '')?.prices);
    return { ...variant, prices };
  });
  return { ...input, variants };
}

/** Refuses a price without a sell price among those that are saved. Its place is that in `sent`. */
export function refuseMissingSellPrices(sent: ProductInput, saved: ProductInput, path: InputPath): void {
  for (const [index, { prices }] of sent.variants.entries()) {
    const savedLists = new Set(saved.variants[index]!.prices.map(({ priceListId }) => priceListId));
    const place = prices.findIndex(
      ({ sellPrice, priceListId }: Partial<VariantInput['prices'][number]>) =>
        sellPrice === undefined && savedLists.has(priceListId),
    );
    if (place === -1) continue;
    throw invalidAt(
      [...path, 'variants', index, 'prices', place, 'sellPrice'],
      'must be given: the variant has no price in this price list',
    );
  }
}

function computes({ currencies: [currency], dynamicRules }: Inherited): boolean {
  return dynamicRules !== null && priceFormulas(dynamicRules, currency!).length > 0;
}
