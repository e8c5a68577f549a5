import { product } from '../../drizzle/product.ts';
import type { Context } from '../context.ts';
import { referenceCheck } from '../db/write/reference-check.ts';
import { storedRows } from '../db/write/stored-rows.ts';
import { isUnchanged } from '../db/write/unchanged.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { update } from '../db/write/write.ts';
import { argumentInvalid } from '../errors.ts';
import { parseInput } from '../field-input.ts';
import type { MutationUpdateProductSalesChannelStatusArgs } from '../graphql/generated/types.ts';
import { ownSalesChannelId } from '../sales-channel/getSalesChannel.ts';
import { updateProductSalesChannelStatusInputList } from './generated/product-input.ts';
import { lockProducts } from './stored/product-lock.ts';
import type { ProductRow } from './stored/stored-products.ts';

export async function updateProductSalesChannelStatus(
  ctx: Context,
  args: MutationUpdateProductSalesChannelStatusArgs,
): Promise<boolean> {
  const input = parseInput(updateProductSalesChannelStatusInputList, args.input);
  return await inTransaction(ctx, async (ctx) => {
    const salesChannelId = args.salesChannelId ?? (await requiredOwnSalesChannelId(ctx));
    const check = referenceCheck(ctx, [
      { type: 'SalesChannel', ids: [{ id: salesChannelId, path: ['salesChannelId'] }] },
    ]);
    const productIds = input.map(({ productId }) => productId);
    await pipeline(ctx, [...check, lockProducts(ctx, productIds, (index) => ['input', index, 'productId'])]);
    const active = new Set(input.filter(({ active }) => active).map(({ productId }) => productId));
    const rows = await pipeline(ctx, [storedRows(ctx, product, { member: 'id', ids: productIds })]);
    const changed = rows
      .map((row) => withStatus(row, salesChannelId, active.has(row.id)))
      .filter((row, index) => !isUnchanged(row, rows[index]!))
      .map((row) => ({ ...row, version: row.version + 1 }));
    await pipeline(ctx, update(ctx, product, changed));
    return true;
  });
}

async function requiredOwnSalesChannelId(ctx: Context): Promise<string> {
  const id = await ownSalesChannelId(ctx);
  if (id !== null) return id;
  throw argumentInvalid([
    { path: ['salesChannelId'], message: 'must be given, because the app has no sales channel of its own' },
  ]);
}

/**
 * The channel is in one of the two lists, and the product's settings of the channel, if any, get the same status. A
 * channel that is PASSIVE and made inactive stays so: in `hiddenSalesChannelIds` it would be offered.
 */
function withStatus(row: ProductRow, salesChannelId: string, isActive: boolean): ProductRow {
  const settings = row.salesChannels?.find(({ id }) => id === salesChannelId);
  const isKeptPassive = !isActive && settings?.status === 'PASSIVE';
  return {
    ...row,
    salesChannelIds: inList(row.salesChannelIds, salesChannelId, isActive),
    ...(!isKeptPassive && {
      hiddenSalesChannelIds: inList(row.hiddenSalesChannelIds, salesChannelId, !isActive),
      salesChannels:
        row.salesChannels?.map((channel) =>
          channel === settings ? { ...channel, status: isActive ? 'VISIBLE' : 'HIDDEN' } : channel,
        ) ?? null,
    }),
  };
}

function inList(ids: readonly string[], id: string, isWanted: boolean): string[] {
  if (!isWanted) return ids.filter((one) => one !== id);
  return ids.includes(id) ? [...ids] : [...ids, id];
}
