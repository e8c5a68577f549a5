import { priceList } from '../../drizzle/price-list.ts';
import { salesChannel } from '../../drizzle/sales-channel.ts';
import { stockLocation } from '../../drizzle/stock.ts';
import type { Context } from '../context.ts';
import { lockRecord } from '../db/write/lock-record.ts';
import { newRowOf } from '../db/write/new-row.ts';
import { readRecordStep } from '../db/read/read-records.ts';
import { referenceCheck } from '../db/write/reference-check.ts';
import type { Selection } from '../db/read/projection.ts';
import { type PipelineStep, pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { recordWrite } from '../db/write/record-write.ts';
import { parseInput, withoutUndefined } from '../field-input.ts';
import type { MutationSaveSalesChannelArgs, SalesChannel } from '../graphql/generated/types.ts';
import { salesChannelInput, type SalesChannelInput } from './generated/sales-channel-input.ts';
import { salesChannelProjection } from './sales-channel.ts';

const newSalesChannel = newRowOf(salesChannel);

export async function saveSalesChannel(
  ctx: Context,
  args: MutationSaveSalesChannelArgs,
  selection: Selection,
): Promise<SalesChannel> {
  const { id: sentId, stockLocations, ...members } = parseInput(salesChannelInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    const stored =
      sentId === undefined ? newSalesChannel() : await lockRecord(ctx, salesChannel, 'SalesChannel', sentId);
    const locations =
      stockLocations === undefined
        ? {}
        : { stockLocations: stockLocations && stockLocations.length > 0 ? stockLocations : null };
    const row = { ...stored, ...withoutUndefined(members), ...locations, deleted: members.deleted ?? stored.deleted };
    const check = salesChannelReferenceCheck(ctx, { priceListId: members.priceListId, stockLocations }, stored);
    return await pipeline(ctx, [
      ...check,
      ...recordWrite(ctx, salesChannel, row, sentId === undefined ? null : stored),
      readRecordStep(ctx, salesChannelProjection, row.id, selection),
    ]);
  });
}

type References = Pick<SalesChannelInput, 'priceListId' | 'stockLocations'>;

function salesChannelReferenceCheck(
  ctx: Context,
  { priceListId, stockLocations }: References,
  stored: References,
): PipelineStep<void>[] {
  const listIds = typeof priceListId === 'string' ? [{ id: priceListId, path: ['input', 'priceListId'] }] : [];
  const locationIds = (stockLocations ?? []).map(({ id }, index) => ({
    id,
    path: ['input', 'stockLocations', index, 'id'],
  }));
  return referenceCheck(ctx, [
    {
      table: priceList,
      type: 'PriceList',
      ids: listIds,
      stored: new Set(stored.priceListId ? [stored.priceListId] : []),
    },
    {
      table: stockLocation,
      type: 'StockLocation',
      ids: locationIds,
      stored: new Set((stored.stockLocations ?? []).map(({ id }) => id)),
    },
  ]);
}
