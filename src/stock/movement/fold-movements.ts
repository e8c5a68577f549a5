import { sql } from 'drizzle-orm';
import { stockMovement } from '../../../drizzle/stock-movement.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';

/** Movements that one statement folds at the most. Small, so that it holds its locks for a short time only. */
const BATCH_SIZE = 1_000;

/** Folds the movements of all merchants that are older than the given time. Null keeps them for ever. */
export async function foldMovements({ db, across }: AcrossContext, keepDays: number | null): Promise<number> {
  if (keepDays === null) return 0;
  const before = sql`now() - make_interval(days => ${keepDays}::integer)`;
  let folded = 0;
  for (;;) {
    const merchants = await across.rows(
      'merchantsWithOldMovements',
      { id: column.text },
      sql`
      select distinct oldest.merchant_id as "id" from (
        select ${stockMovement.merchantId} as merchant_id from ${stockMovement}
        where ${stockMovement.createdAt} < ${before} and ${stockMovement.kind} <> 'OPENED'
        limit ${sql.raw(String(BATCH_SIZE))}
      ) as oldest`,
    );
    if (merchants.length === 0) return folded;
    for (const { id } of merchants) {
      const [own] = await readRows(
        { db },
        { folded: column.number },
        sql`select fold_stock_movements(${id}::uuid, ${before}, ${BATCH_SIZE}::integer) as "folded"`,
      );
      folded += own!.folded;
    }
  }
}
