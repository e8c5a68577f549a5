import { getTableName, sql } from 'drizzle-orm';
import { productBrand } from '../../drizzle/brand.ts';
import { bulkOperation, bulkOperationImage } from '../../drizzle/bulk-operation.ts';
import { category } from '../../drizzle/category.ts';
import { htmlMetaData } from '../../drizzle/meta-data.ts';
import { productPrice } from '../../drizzle/product-price.ts';
import { productCategory, productTagRelation, productVariantType, productVariantValue, variantValueRelation } from '../../drizzle/product-relation.ts';
import { productStockLocation } from '../../drizzle/product-stock-location.ts';
import { productSearch, productSearchWord } from '../../drizzle/product-search.ts';
import { product, variant } from '../../drizzle/product.ts';
import { productTag } from '../../drizzle/tag.ts';
import { variantType, variantValue } from '../../drizzle/variant-type.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/transaction.ts';

/** Smaller requests leave it to autovacuum. */
const GROWTH_MIN = 100;

const TABLES = [
  product, variant, productPrice, productStockLocation, htmlMetaData, productBrand, category, productTag, variantType, variantValue,
  productCategory, productTagRelation, productVariantType, productVariantValue, variantValueRelation, bulkOperation, bulkOperationImage,
  productSearch, productSearchWord,
];

/**
 * Tells Postgres what the tables of products hold now. It keeps plans that it made when they were nearly
 * empty, for the checks of foreign keys too, and these take the longer the more there is: measured, 15 s
 * for 1,000 products instead of 1 s. Autovacuum comes to it within a minute or so, a large load does not wait.
 */
export async function analyzeProducts({ db }: Pick<Context, 'db'>): Promise<void> {
  const names = TABLES.map((table) => sql.identifier(getTableName(table)));
  await db.execute(sql`analyze ${sql.join(names, sql`, `)}`);
}

/**
 * Does so when a request has brought more products than Postgres knows of, or more have changed since it
 * last looked: at the first large request and then at each doubling. A failure costs speed and nothing else.
 */
export async function analyzeGrownProducts(ctx: Context, created: number): Promise<void> {
  if (created < GROWTH_MIN) return;
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
