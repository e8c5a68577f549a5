import { stockLocation } from '../../drizzle/stock.ts';
import type { Context } from '../context.ts';
import { lockRecord, newRowOf, recordWrite } from '../db/write/saved-record.ts';
import { readRecordStep } from '../db/read/read-records.ts';
import type { Selection } from '../db/read/projection.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { parseInput, withoutUndefined } from '../field-input.ts';
import type { MutationSaveStockLocationArgs, StockLocation } from '../graphql/generated/types.ts';
import { stockLocationInput } from './generated/stock-input.ts';
import { stockLocationProjection } from './stock-location.ts';

const newStockLocation = newRowOf(stockLocation);

export async function saveStockLocation(
  ctx: Context,
  args: MutationSaveStockLocationArgs,
  selection: Selection,
): Promise<StockLocation> {
  const { id: sentId, ...members } = parseInput(stockLocationInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    const stored =
      sentId === undefined ? newStockLocation() : await lockRecord(ctx, stockLocation, 'StockLocation', sentId);
    const row = {
      ...stored,
      ...withoutUndefined(members),
      allowsNegativeStock:
        members.allowsNegativeStock === undefined ? stored.allowsNegativeStock : members.allowsNegativeStock === true,
      deleted: members.deleted ?? stored.deleted,
    };
    return await pipeline(ctx, [
      ...recordWrite(ctx, stockLocation, row, { stored: sentId === undefined ? null : stored }),
      readRecordStep(ctx, stockLocationProjection, row.id, selection),
    ]);
  });
}
