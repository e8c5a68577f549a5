import { sql } from 'drizzle-orm';
import { stockMovement } from '../../../drizzle/stock-movement.ts';
import type { MerchantContext } from '../../context.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { BATCH_SIZE, processDueRows } from '../../db/write/process-due-rows.ts';

/** Folds the movements of all merchants that are older than the given time. Null keeps them for ever. */
export async function foldMovements(
  ctx: AcrossContext,
  keepDays: number | null,
  signal?: AbortSignal,
): Promise<number> {
  if (keepDays === null) return 0;
  const before = sql`now() - make_interval(days => ${keepDays}::integer)`;
  const isDue = sql`${stockMovement.createdAt} < ${before} and ${stockMovement.changeNumber} is not null`;
  const fold = async ({ db, merchantId }: MerchantContext): Promise<number> => {
    const [own] = await readRows(
      { db },
      { folded: column.number },
      sql`select fold_stock_movements(${merchantId}::uuid, ${before}, ${BATCH_SIZE}::integer) as "folded"`,
    );
    return own!.folded;
  };
  return await processDueRows(ctx, { table: stockMovement, isDue }, fold, signal);
}
