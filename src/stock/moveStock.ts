import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import { parseInput } from '../field-input.ts';
import type { MutationMoveStockArgs, StockMovement } from '../graphql/generated/types.ts';
import { entryHash } from './entry/entry-hash.ts';
import { type Move, moves } from './movement/stock-movement-input.ts';
import { type MovementEntry, writeMovements } from './movement/write-movements.ts';

export async function moveStock(
  ctx: Context,
  args: MutationMoveStockArgs,
  selection: Selection,
): Promise<StockMovement[]> {
  return await writeMovements(ctx, parseInput(moves, args.input).flatMap(bothSides), selection);
}

function bothSides(move: Move, index: number): MovementEntry[] {
  const { fromStockLocationId, toStockLocationId, quantity, ...rest } = move;
  const side = (member: 'fromStockLocationId' | 'toStockLocationId', delta: number): MovementEntry => ({
    ...rest,
    path: ['input', index],
    locationMember: member,
    stockLocationId: move[member],
    delta,
    kind: 'MOVED',
    hash: entryHash('moveStock', move),
  });
  return [side('fromStockLocationId', -quantity), side('toStockLocationId', quantity)];
}
