import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import { parseInput } from '../field-input.ts';
import type { MutationAdjustStockArgs, StockMovement } from '../graphql/generated/types.ts';
import { entryHash } from './entry/entry-hash.ts';
import { adjustTogether } from './movement/adjust-together.ts';
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
  const movement = ctx.batches && entries.length === 1 ? await adjustTogether(ctx, entries[0]!, selection) : null;
  return movement ? [movement] : await writeMovements(ctx, entries, selection);
}
