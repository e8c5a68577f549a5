import { sql } from 'drizzle-orm';
import { merchant } from '../../../drizzle/merchant.ts';
import { priceList } from '../../../drizzle/price-list.ts';
import type { Context } from '../../context.ts';
import { idArray } from '../../db/sql/parameter.ts';
import { ownedBy } from '../../db/sql/tenant.ts';

type SentPrice = { currency?: string | null; priceListId?: string | null };

/** Returns the price without a currency that it has anyway, from its price list or, as a base price, the merchant. */
export type OwnCurrency = <Price extends SentPrice>(price: Price) => Price;

/**
 * Reads the currencies that the prices inherit, if one of them names a currency. Clients send back the currency that
 * they read. It is not stored, so that the price follows a change of its price list's currency.
 */
export async function ownCurrency(ctx: Context, prices: readonly SentPrice[]): Promise<OwnCurrency> {
  const named = prices.filter(({ currency }) => currency != null);
  if (named.length === 0) return (price) => price;
  const listIds = [...new Set(named.flatMap(({ priceListId }) => priceListId ?? []))];
  const rows = await ctx.db.execute<{ id: string | null; currencies: string[] }>(sql`
    select null as "id", to_json(array[${merchant.currencyCode}]) as "currencies" from ${merchant}
    where ${ownedBy(ctx, merchant)}
    union all
    select ${priceList.id}, to_json(array[${priceList.currency}, ${priceList.currencyCode}]) from ${priceList}
    where ${ownedBy(ctx, priceList)} and ${priceList.id} = any(${idArray(listIds)})`);
  const inherited = new Map(rows.map(({ id, currencies }) => [id, currencies]));
  return (price) => {
    const isInherited = price.currency != null && inherited.get(price.priceListId ?? null)?.includes(price.currency);
    return isInherited ? { ...price, currency: null } : price;
  };
}
