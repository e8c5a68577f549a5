import { sql } from 'drizzle-orm';
import { productSearchPending } from '../../../drizzle/product-search.ts';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/connection/connect.ts';

/** Notified when products are marked whose search documents are to be written. */
export const SEARCH_CHANNEL = 'product_search';

/** Marks that one statement takes: a twentieth of a second of Postgres' time. */
const MARKS_PER_BATCH = 500;
const MAX_MERCHANTS = 1_000;

/**
 * Writes the search documents of this merchant's products that have changed a moment ago, so that a search finds what was saved
 * before it. After a bulk request that is the first of them; `updateAllSearchDocuments` writes the others.
 */
export async function updateSearchDocuments(ctx: Pick<Context, 'db' | 'merchantId'>): Promise<void> {
  await takeMarks(ctx, true);
}

/** Writes those of all merchants, who take turns. */
export async function updateAllSearchDocuments(db: Database, signal: AbortSignal): Promise<void> {
  for (let merchants = await merchantsWithMarks(db); merchants.length > 0;) {
    const behind: string[] = [];
    for (const merchantId of merchants) {
      if (signal.aborted) return;
      if ((await takeMarks({ db, merchantId }, false)) === MARKS_PER_BATCH) behind.push(merchantId);
    }
    merchants = behind;
  }
}

async function takeMarks({ db, merchantId }: Pick<Context, 'db' | 'merchantId'>, waits: boolean): Promise<number> {
  const [row] = await db.execute<{ taken: number }>(
    sql`select product_search_catch_up(${merchantId}::uuid, ${sql.raw(String(MARKS_PER_BATCH))}, ${waits}) as "taken"`,
  );
  return row!.taken;
}

/** One look-up for each, however many marks they have. */
async function merchantsWithMarks(db: Database): Promise<string[]> {
  const { merchantId } = productSearchPending;
  const rows = await db.execute<{ id: string }>(sql`
    with recursive marked(id) as (
      (select ${merchantId} from ${productSearchPending} order by ${merchantId} limit 1)
      union all
      select (select ${merchantId} from ${productSearchPending} where ${merchantId} > marked.id order by ${merchantId} limit 1) from marked where marked.id is not null
    )
    select id as "id" from marked where id is not null limit ${sql.raw(String(MAX_MERCHANTS))}`);
  return rows.map(({ id }) => id);
}
