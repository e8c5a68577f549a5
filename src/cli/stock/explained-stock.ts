import type { Context } from '../../context.ts';
import { inSnapshot } from '../../db/connection/transaction.ts';
import { selectFields } from '../../values/select-fields.ts';
import type { ProductStockLocation, StockHold, StockMovement } from '../../graphql/generated/types.ts';
import { listProductStockLocation } from '../../stock/listProductStockLocation.ts';
import { listStockHold } from '../../stock/listStockHold.ts';
import { listStockLocation } from '../../stock/listStockLocation.ts';
import { listStockMovement } from '../../stock/listStockMovement.ts';
import { databaseTime } from '../database/database-time.ts';
import { firstOf, pageSelection } from '../database/first-of.ts';

/** Names that one statement reads. */
const BATCH_SIZE = 200;

type Count = Pick<ProductStockLocation, 'stockLocationId' | 'stockCount' | 'heldCount' | 'availableCount'>;
/** The count of a location and why it is so. `hasMore…`: more than the limit. */
export type ExplainedCount = Count & {
  name: string;
  movements: StockMovement[];
  hasMoreMovements: boolean;
  holds: StockHold[];
  hasMoreHolds: boolean;
};
type Place = { variantId: string; stockLocationId?: string | undefined };

/** The counts of a variant at all locations or at one, by the names of the locations, all as of one time. */
export async function explainedStock(ctx: Context, place: Place, limit: number): Promise<ExplainedCount[]> {
  return await inSnapshot(ctx, async (ctx) => {
    const counts = await countsOf(ctx, place);
    const names = await namesOf(ctx, counts);
    const now = await databaseTime(ctx);
    const explained: ExplainedCount[] = [];
    for (const count of counts) {
      const { stockLocationId } = count;
      const at = { variantId: { eq: place.variantId }, stockLocationId: { eq: stockLocationId } };
      const movements = await firstOf(limit, (pagination) =>
        listStockMovement(ctx, { ...at, pagination }, pageSelection(MOVEMENT)),
      );
      const holds = await firstOf(limit, (pagination) =>
        listStockHold(ctx, { ...at, status: 'ACTIVE', expiresAt: { gt: now }, pagination }, pageSelection(HOLD)),
      );
      explained.push({
        ...count,
        name: names.get(stockLocationId) ?? stockLocationId,
        movements: movements.entries,
        hasMoreMovements: movements.hasMore,
        holds: holds.entries,
        hasMoreHolds: holds.hasMore,
      });
    }
    return explained.sort((a, b) => a.name.localeCompare(b.name, 'en'));
  });
}

async function countsOf(ctx: Context, { variantId, stockLocationId }: Place): Promise<Count[]> {
  const at = { variantId: { eq: variantId }, ...(stockLocationId && { stockLocationId: { eq: stockLocationId } }) };
  const { entries } = await firstOf(Infinity, (pagination) =>
    listProductStockLocation(ctx, { ...at, pagination }, pageSelection(COUNT)),
  );
  return entries;
}

async function namesOf(ctx: Context, counts: readonly Count[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (let from = 0; from < counts.length; from += BATCH_SIZE) {
    const ids = counts.slice(from, from + BATCH_SIZE).map(({ stockLocationId }) => stockLocationId);
    const args = { id: { in: ids }, includeDeleted: true, pagination: { limit: BATCH_SIZE } };
    for (const { id, name, deleted } of await listStockLocation(ctx, args, { id: {}, name: {}, deleted: {} }))
      names.set(id, deleted ? `${name} (deleted)` : name);
  }
  return names;
}

const COUNT = selectFields('stockLocationId stockCount heldCount availableCount');
const HOLD = selectFields('id quantity key reference createdAt expiresAt');
const MOVEMENT = {
  ...selectFields('id kind delta countAfter reason reference key sequence createdAt'),
  changeSet: {
    ...selectFields('id operation actor'),
    app: selectFields('id name'),
    ...selectFields('databaseRole applicationName'),
  },
};
