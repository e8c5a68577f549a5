import { getTableName, sql } from 'drizzle-orm';
import { product } from '../../../drizzle/product.ts';
import type { Context } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { inTransaction } from '../../db/connection/transaction.ts';

/** After a request that creates fewer products, autovacuum updates the statistics of the tables early enough. */
const MIN_CREATED_PRODUCTS = 100;

/**
 * Analyzes when a request created more products than the statistics know, or when more have changed since the last
 * analysis: after the first large request and then at each doubling. A failure costs only speed.
 */
export async function analyzeProductsAfterGrowth(ctx: Context, created: number): Promise<void> {
  if (created < MIN_CREATED_PRODUCTS) return;
  try {
    await inTransaction(ctx, async (ctx) => {
      const [table] = await readRows(
        ctx,
        { known: column.number, changed: column.number },
        sql`
        select reltuples::float8 as "known", coalesce(pg_stat_get_mod_since_analyze(oid), 0)::float8 as "changed"
        from pg_class where oid = to_regclass(${getTableName(product)})`,
      );
      if (table && (table.known < created || table.changed > table.known)) await analyzeProducts(ctx);
    });
  } catch (error) {
    ctx.log.warn({ err: error }, 'the tables of products could not be analyzed');
  }
}

/**
 * Updates Postgres' statistics of the product tables. Without it Postgres reuses plans made for nearly empty tables,
 * also for the checks of foreign keys: measured, 15 s for 1,000 products instead of 1 s. Autovacuum analyzes after
 * about a minute, which is too late for a large load.
 */
async function analyzeProducts({ db }: Pick<Context, 'db'>): Promise<void> {
  // Only the owner of a table may analyze it. This SQL function runs with the owner's rights.
  await db.execute(sql`select analyze_products()`);
}
