import { sql } from 'drizzle-orm';
import type { MerchantContext } from '../../context.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { allMerchants } from '../../db/across/merchants-with-rows.ts';
import { keptSince } from '../../db/across/kept-since.ts';
import { NO_ID } from '../../db/sql/id.ts';
import { forEachMerchant } from '../../db/across/for-each-merchant.ts';

/** Movements that one statement reads, folded ones too. Few, so that it holds its locks for a short time only. */
const BATCH_SIZE = 1_000;

/** Folds the movements of all merchants that are older than the given time. Null keeps them for ever. */
export async function foldMovements(
  ctx: AcrossContext,
  keepDays: number | null,
  signal?: AbortSignal,
): Promise<number> {
  if (keepDays === null) return 0;
  const { firstId } = await keptSince(ctx, keepDays);
  const merchants = await allMerchants(ctx.across);
  return await forEachMerchant(ctx.db, merchants, async (ctx) => await foldOf(ctx, firstId, signal), signal);
}

/** Folds the old movements of one merchant. Ids have the order of the times. */
async function foldOf({ db, merchantId }: MerchantContext, before: string, signal?: AbortSignal): Promise<number> {
  let folded = 0;
  for (let after: string | null = NO_ID; after !== null && !signal?.aborted;) {
    const [batch]: { folded: number; lastId: string | null }[] = await readRows(
      { db },
      { folded: column.number, lastId: column.nullable(column.text) },
      sql`
      select folded as "folded", last_id as "lastId"
      from fold_stock_movements(${merchantId}::uuid, ${after}::uuid, ${before}::uuid, ${BATCH_SIZE}::integer)`,
    );
    folded += batch!.folded;
    after = batch!.lastId;
  }
  return folded;
}
