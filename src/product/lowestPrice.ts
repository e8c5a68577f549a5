import { sql } from 'drizzle-orm';
import { merchant } from '../../drizzle/merchant.ts';
import { priceList } from '../../drizzle/price-list.ts';
import { variant } from '../../drizzle/product.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { inSnapshot } from '../db/connection/transaction.ts';
import { sqlScope } from '../db/read/projection.ts';
import { isId } from '../db/sql/id.ts';
import { idArray, ownedBy } from '../db/sql/parameter.ts';
import { invalidAt, notFound } from '../errors.ts';
import type { LowestPrice, QueryLowestPriceArgs } from '../graphql/generated/types.ts';
import { computesPrices } from '../price-list/dynamic-list.ts';
import { DEFAULT_DAYS, gap, isReduced, lowestPrice as lowestIn } from './prices/lowest-price.ts';
import { priceChanges } from './prices/price-changes.ts';
import { priceHistories, priceIn } from './prices/price-history.ts';

const MAX_DAYS = 365;

export async function lowestPrice(ctx: Context, args: QueryLowestPriceArgs): Promise<LowestPrice | null> {
  const days = args.days ?? DEFAULT_DAYS;
  if (days < 1 || days > MAX_DAYS) throw invalidAt(['days'], `must be from 1 to ${MAX_DAYS}`);
  // The present price and its history are of one moment.
  return await inSnapshot(ctx, async (ctx) => {
    const { productId, prices } = await presentPrice(ctx, args.variantId);
    const priceListId = args.priceListId ?? null;
    const list = await listOf(ctx, priceListId);
    if (list.computes) return gap('COMPUTED_PRICES');
    const price = priceIn(prices, priceListId);
    const beforeMs = args.before ?? null;
    if (beforeMs === null && !isReduced(price)) return null;
    const [read] = await readRows(
      ctx,
      { changes: column.text },
      sql`select ${priceChanges(sqlScope(ctx, {}), sql`select ${productId}::uuid`)} as "changes"`,
    );
    const histories = await priceHistories(ctx, JSON.parse(read!.changes));
    if (histories === null) return gap('TOO_MANY_CHANGES');
    const place = { productId, variantId: args.variantId, priceListId, inheritedCurrency: list.currency };
    return lowestIn(histories.of(place, price), { days, beforeMs });
  });
}

async function presentPrice(ctx: Context, id: string): Promise<{ productId: string; prices: unknown }> {
  const [found] = await readRows(
    ctx,
    { productId: column.text, prices: column.unknown },
    sql`
    select ${variant.productId} as "productId", ${variant.prices} as "prices" from ${variant}
    where ${ownedBy(ctx, variant)} and ${variant.id} = any(${idArray([id].filter(isId))})`,
  );
  if (!found) throw notFound('Variant', [id], ['variantId']);
  return found;
}

/** The currency that a price without one of its own has, and whether the list computes its prices. */
async function listOf(ctx: Context, id: string | null): Promise<{ currency: string | null; computes: boolean }> {
  const shape = { currency: column.nullable(column.text), computes: column.boolean };
  if (id === null) {
    const own = sql`select ${merchant.currencyCode} as "currency", false as "computes" from ${merchant}
    where ${ownedBy(ctx, merchant)}`;
    return (await readRows(ctx, shape, own))[0]!;
  }
  const [list] = await readRows(
    ctx,
    shape,
    sql`
    select ${priceList.currency} as "currency", ${computesPrices(priceList)} as "computes"
    from ${priceList} where ${ownedBy(ctx, priceList)} and ${priceList.id} = any(${idArray([id].filter(isId))})`,
  );
  if (!list) throw notFound('PriceList', [id], ['priceListId']);
  return list;
}
