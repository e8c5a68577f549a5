import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import { parseInput } from '../field-input.ts';
import type { MutationAdjustStockArgs, StockMovement } from '../graphql/generated/types.ts';
import { entryHash } from './entry/entry-hash.ts';
import { adjustments } from './movement/stock-movement-input.ts';
import { writeMovements } from './movement/write-movements.ts';

export async function adjustStock(
  ctx: Context,
  args: MutationAdjustStockArgs,
  selection: Selection,
): Promise<StockMovement[]> {
  const entries = parseInput(adjustments, args.input).map((entry, index) => ({
    ...entry,
    path: ['input', index],
    locationMember: 'stockLocationId',
    hash: entryHash('adjustStock', entry),
  }));
  return await writeMovements(ctx, entries, selection);
}
