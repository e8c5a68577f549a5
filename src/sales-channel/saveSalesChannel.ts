import { priceList } from '../../drizzle/price-list.ts';
import { salesChannel, salesChannelStockLocation } from '../../drizzle/sales-channel.ts';
import { stockLocation } from '../../drizzle/stock.ts';
import type { Context } from '../context.ts';
import { newId } from '../db/id.ts';
import { lockRecord } from '../db/lock.ts';
import { readRecord } from '../db/read.ts';
import { checkReferences, storedIds } from '../db/reference.ts';
import type { Selection } from '../db/shape.ts';
import { inTransaction } from '../db/transaction.ts';
import { replaceRows, upsertRows } from '../db/write.ts';
import { parseInput, sent } from '../field-input.ts';
import type { MutationSaveSalesChannelArgs, SalesChannel } from '../graphql/types.generated.ts';
import { salesChannelInput, type SalesChannelInput } from './sales-channel-input.ts';
import { salesChannelShape } from './sales-channel.ts';

export async function saveSalesChannel(ctx: Context, args: MutationSaveSalesChannelArgs, selection: Selection): Promise<SalesChannel> {
  const { id: sentId, stockLocations, ...members } = parseInput(salesChannelInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    const stored = sentId === undefined ? newSalesChannel() : await lockRecord(ctx, salesChannel, 'SalesChannel', sentId);
    await checkPriceList(ctx, members.priceListId, stored.priceListId);
    const row = { ...stored, ...sent(members), deleted: members.deleted ?? stored.deleted };
    await upsertRows(ctx, salesChannel, ['id'], [row]);
    if (stockLocations !== undefined) await saveStockLocations(ctx, row.id, stockLocations ?? []);
    return await readRecord(ctx, salesChannelShape, row.id, selection);
  });
}

function newSalesChannel() {
  return { id: newId(), priceListId: null, paymentGateways: null, deleted: false };
}

async function checkPriceList(ctx: Context, id: string | null | undefined, storedId: string | null): Promise<void> {
  const ids = typeof id === 'string' ? [{ id, path: ['input', 'priceListId'] }] : [];
  await checkReferences(ctx, [{ table: priceList, type: 'PriceList', ids, stored: new Set(storedId ? [storedId] : []) }]);
}

async function saveStockLocations(ctx: Context, salesChannelId: string, sentList: NonNullable<SalesChannelInput['stockLocations']>): Promise<void> {
  const stored = await storedIds(ctx, salesChannelStockLocation, 'stockLocationId', 'salesChannelId', salesChannelId);
  const ids = sentList.map(({ id }, index) => ({ id, path: ['input', 'stockLocations', index, 'id'] }));
  await checkReferences(ctx, [{ table: stockLocation, type: 'StockLocation', stored, ids }]);
  await replaceRows(ctx, salesChannelStockLocation, {
    parent: 'salesChannelId',
    parentIds: [salesChannelId],
    key: ['salesChannelId', 'stockLocationId'],
    rows: sentList.map(({ id, order }, position) => ({ salesChannelId, stockLocationId: id, position, order })),
  });
}
