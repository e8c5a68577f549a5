import { getTableName, sql } from 'drizzle-orm';
import { product } from '../../../drizzle/product.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/connection/transaction.ts';

/** Smaller requests leave it to autovacuum. */
const MIN_CREATED_PRODUCTS = 100;

/**
 * Tells Postgres what the tables of products hold now. It keeps plans that it made when they were nearly
 * empty, for the checks of foreign keys too, and these take the longer the more there is: measured, 15 s
 * for 1,000 products instead of 1 s. Autovacuum comes to it within a minute or so, a large load does not wait.
 */
export async function analyzeProducts({ db }: Pick<Context, 'db'>): Promise<void> {
  // Only their owner may do it, and this function of the owner does nothing else.
  await db.execute(sql`select analyze_products()`);
}

/**
 * Does so when a request has brought more products than Postgres knows of, or more have changed since it
 * last looked: at the first large request and then at each doubling. A failure costs speed and nothing else.
 */
export async function analyzeProductsAfterGrowth(ctx: Context, created: number): Promise<void> {
  if (created < MIN_CREATED_PRODUCTS) return;
  try {
    await inTransaction(ctx, async (ctx) => {
      const [table] = await ctx.db.execute<{ known: number; changed: number }>(sql`
        select reltuples::float8 as "known", coalesce(pg_stat_get_mod_since_analyze(oid), 0)::float8 as "changed"
        from pg_class where oid = to_regclass(${getTableName(product)})`);
      if (table && (table.known < created || table.changed > table.known)) await analyzeProducts(ctx);
    });
  } catch (error) {
    ctx.log.warn({ err: error }, 'the tables of products could not be analyzed');
  }
}
