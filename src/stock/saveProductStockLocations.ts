import { sql } from 'drizzle-orm';
import { productStockLocation } from '../../drizzle/product-stock-location.ts';
import { product, variant } from '../../drizzle/product.ts';
import { stockLocation } from '../../drizzle/stock.ts';
import type { Context } from '../context.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { isId, newId } from '../db/sql/id.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import { upsert } from '../db/write/write.ts';
import { notFound } from '../errors.ts';
import { parseInput } from '../field-input.ts';
import type { MutationSaveProductStockLocationsArgs } from '../graphql/generated/types.ts';
import { inLockOrder } from './lock-order.ts';
import { type ProductStockLocationEntry as Entry, productStockLocationsInput } from './product-stock-location-input.ts';

export async function saveProductStockLocations(
  ctx: Context,
  args: MutationSaveProductStockLocationsArgs,
): Promise<boolean> {
  const { productStockLocationInputs } = parseInput(productStockLocationsInput, args.input);
  const entries = productStockLocationInputs ?? [];
  await inTransaction(ctx, async (ctx) => {
    refuseUnknown(entries, await findReferences(ctx, entries));
    // An existing row keeps its id.
    const rows = entries.map((row) => ({ ...row, id: newId(), deleted: false }));
    const key = ['productId', 'variantId', 'stockLocationId'] as const;
    await pipeline(ctx, upsert(ctx, productStockLocation, key, inLockOrder(rows)));
  });
  return true;
}

/**
 * For each record to which an entry refers: whether it is deleted, or null if it does not exist. `id` is the id of the
 * stored count.
 */
type EntryReferences = {
  productId: boolean | null;
  variantId: boolean | null;
  stockLocationId: boolean | null;
  id: string | null;
};

/** One statement for any number of entries; rows are in the order of the entries. */
async function findReferences(ctx: Context, entries: Entry[]): Promise<EntryReferences[]> {
  const asked = entries.map(({ productId, variantId, stockLocationId }, n) => ({
    n,
    product: isId(productId) ? productId : null,
    variant: isId(variantId) ? variantId : null,
    location: isId(stockLocationId) ? stockLocationId : null,
  }));
  return await readRows(
    ctx,
    {
      productId: column.nullable(column.boolean),
      variantId: column.nullable(column.boolean),
      stockLocationId: column.nullable(column.boolean),
      id: column.nullable(column.text),
    },
    sql`
    select ${product.deleted} as "productId", ${variant.deleted} as "variantId",
      ${stockLocation.deleted} as "stockLocationId", ${productStockLocation.id} as "id"
    from json_to_recordset(${JSON.stringify(asked)}::json) as asked(n int, product uuid, variant uuid, location uuid)
    left join ${product} on ${ownedBy(ctx, product)} and ${product.id} = asked.product
    left join ${variant} on ${ownedBy(ctx, variant)} and ${variant.id} = asked.variant
      and ${variant.productId} = asked.product
    left join ${stockLocation} on ${ownedBy(ctx, stockLocation)} and ${stockLocation.id} = asked.location
    left join ${productStockLocation} on ${ownedBy(ctx, productStockLocation)}
      and ${productStockLocation.productId} = asked.product
      and ${productStockLocation.variantId} = asked.variant and ${productStockLocation.stockLocationId} = asked.location
    order by asked.n`,
  );
}

/** A stored row may refer to a record that has been deleted since; a new row may not. */
function refuseUnknown(entries: Entry[], references: EntryReferences[]): void {
  const usable = (index: number, member: 'productId' | 'variantId' | 'stockLocationId'): boolean => {
    const { id, [member]: deleted } = references[index]!;
    return deleted === false || (deleted === true && id !== null);
  };
  refuse('Product', 'productId', entries, (_, index) => usable(index, 'productId'));
  refuse('Variant', 'variantId', entries, (_, index) => usable(index, 'variantId'));
  refuse('StockLocation', 'stockLocationId', entries, (_, index) => usable(index, 'stockLocationId'));
  refuse(
    'ProductStockLocation',
    'id',
    entries,
    ({ id }, index) => typeof id !== 'string' || id === references[index]!.id,
  );
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
