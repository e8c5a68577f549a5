import { stockLocation } from '../../drizzle/stock.ts';
import type { Context } from '../context.ts';
import { newId } from '../db/id.ts';
import { lockRecord } from '../db/lock.ts';
import { readRecord } from '../db/read.ts';
import type { Selection } from '../db/shape.ts';
import { inTransaction } from '../db/transaction.ts';
import { upsertRows } from '../db/write.ts';
import { parseInput, sent } from '../field-input.ts';
import type { MutationSaveStockLocationArgs, StockLocation } from '../graphql/types.generated.ts';
import { stockLocationInput } from './stock-location-input.ts';
import { stockLocationShape } from './stock-location.ts';

export async function saveStockLocation(ctx: Context, args: MutationSaveStockLocationArgs, selection: Selection): Promise<StockLocation> {
  const { id: sentId, ...members } = parseInput(stockLocationInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    const stored = sentId === undefined ? newStockLocation() : await lockRecord(ctx, stockLocation, 'StockLocation', sentId);
    const row = { ...stored, ...sent(members), deleted: members.deleted ?? stored.deleted };
    await upsertRows(ctx, stockLocation, ['id'], [row]);
    return await readRecord(ctx, stockLocationShape, row.id, selection);
  });
}

function newStockLocation() {
  return {
    id: newId(),
    type: null,
    description: null,
    address: null,
    outOfStockMailList: null,
    isRemindOutOfStockEnabled: null,
    deliveryTime: null,
    translations: null,
    deleted: false,
  };
}
