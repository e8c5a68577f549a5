import { sql } from 'drizzle-orm';
import { productStockLocation } from '../../drizzle/product-stock-location.ts';
import { product, variant } from '../../drizzle/product.ts';
import { stockLocation } from '../../drizzle/stock.ts';
import type { Context } from '../context.ts';
import { isId } from '../db/sql/id.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { pipeline } from '../db/write/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { upsert } from '../db/write/write.ts';
import { notFound } from '../errors.ts';
import { parseInput } from '../field-input.ts';
import type { MutationSaveProductStockLocationsArgs } from '../graphql/generated/types.ts';
import { type ProductStockLocationEntry as Entry, productStockLocationsInput } from './product-stock-location-input.ts';

export async function saveProductStockLocations(
  ctx: Context,
  args: MutationSaveProductStockLocationsArgs,
): Promise<boolean> {
  const { productStockLocationInputs: entries } = parseInput(productStockLocationsInput, args.input);
  await inTransaction(ctx, async (ctx) => {
    checkNames(entries, await findNamed(ctx, entries));
    const rows = entries.map(({ id: _id, ...row }) => ({ ...row, deleted: false }));
    // In one order for all, so that two requests for the same places wait for each other instead of locking up.
    rows.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    await pipeline(ctx, upsert(ctx, productStockLocation, ['productId', 'variantId', 'stockLocationId'], rows));
  });
  return true;
}

/** What an entry names: whether the record is deleted, null when there is none; `id` is of the stored row. */
type Named = {
  productId: boolean | null;
  variantId: boolean | null;
  stockLocationId: boolean | null;
  id: string | null;
};

/** One statement for any number of entries, answered in their order. */
async function findNamed(ctx: Context, entries: Entry[]): Promise<Named[]> {
  const named = entries.map(({ productId, variantId, stockLocationId }, n) => ({
    n,
    product: isId(productId) ? productId : null,
    variant: isId(variantId) ? variantId : null,
    location: isId(stockLocationId) ? stockLocationId : null,
  }));
  return await ctx.db.execute<Named>(sql`
    select ${product.deleted} as "productId", ${variant.deleted} as "variantId", ${stockLocation.deleted} as "stockLocationId",
      ${productStockLocation.id} as "id"
    from json_to_recordset(${JSON.stringify(named)}::json) as named(n int, product uuid, variant uuid, location uuid)
    left join ${product} on ${ownedBy(ctx, product)} and ${product.id} = named.product
    left join ${variant} on ${ownedBy(ctx, variant)} and ${variant.id} = named.variant and ${variant.productId} = named.product
    left join ${stockLocation} on ${ownedBy(ctx, stockLocation)} and ${stockLocation.id} = named.location
    left join ${productStockLocation} on ${ownedBy(ctx, productStockLocation)} and ${productStockLocation.productId} = named.product
      and ${productStockLocation.variantId} = named.variant and ${productStockLocation.stockLocationId} = named.location
    order by named.n`);
}

/** A row that exists may name what has been deleted since; a new one may not. */
function checkNames(entries: Entry[], named: Named[]): void {
  const usable = (index: number, member: 'productId' | 'variantId' | 'stockLocationId'): boolean => {
    const { id, [member]: deleted } = named[index]!;
    return deleted === false || (deleted === true && id !== null);
  };
  refuse('Product', 'productId', entries, (_, index) => usable(index, 'productId'));
  refuse('Variant', 'variantId', entries, (_, index) => usable(index, 'variantId'));
  refuse('StockLocation', 'stockLocationId', entries, (_, index) => usable(index, 'stockLocationId'));
  refuse('ProductStockLocation', 'id', entries, ({ id }, index) => typeof id !== 'string' || id === named[index]!.id);
}

function refuse(
  type: string,
  member: keyof Entry,
  entries: Entry[],
  isFound: (entry: Entry, index: number) => boolean,
): void {
  const missing = entries
    .map((entry, index) => ({ entry, index }))
    .filter(({ entry, index }) => !isFound(entry, index));
  if (missing.length === 0) return;
  const ids = new Set(missing.map(({ entry }) => String(entry[member])));
  throw notFound(type, [...ids], ['input', 'productStockLocationInputs', missing[0]!.index, member]);
}

function placeOf({
  productId,
  variantId,
  stockLocationId,
}: Pick<Entry, 'productId' | 'variantId' | 'stockLocationId'>): string {
  return `${productId} ${variantId} ${stockLocationId}`;
}
