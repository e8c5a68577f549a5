import { sql } from 'drizzle-orm';
import type { Database } from '../../../src/db/connection/database.ts';

/** The longest description that is accepted, in letters of two bytes each. */
export const LONG_DESCRIPTION_LENGTH = 65_000;

type NewProducts = { merchantId: string; count: number; descriptionLength?: number; isAnalyzed?: boolean };

/**
 * Inserts products by plain SQL of the owner, because 10,000 saves would take longer than the attack. Their search
 * documents have only the name.
 */
export async function insertProducts(
  owner: Database,
  { merchantId, count, descriptionLength = 0, isAnalyzed = true }: NewProducts,
): Promise<void> {
  await owner.transaction(async (transaction) => {
    const run = async (statement: ReturnType<typeof sql>): Promise<void> => void (await transaction.execute(statement));
    await run(sql`set local session_replication_role = replica`);
    await run(
      sql`create temporary table made on commit drop as select uuid_v7() as id, uuid_v7() as variant, n from generate_series(1, ${count}::int) as n`,
    );
    await run(
      sql`create temporary table named on commit drop as select uuid_v7() as id, kind, n from unnest('{brand,category,tag}'::text[]) as kind, generate_series(0, 49) as n`,
    );
    for (const [kind, table] of [
      ['brand', 'product_brand'],
      ['category', 'category'],
      ['tag', 'product_tag'],
    ] as const) {
      await run(
        sql`insert into ${sql.identifier(table)} (merchant_id, id, name) select ${merchantId}, id, ${kind} || ' ' || n from named where kind = ${kind}`,
      );
    }
    await run(sql`
      insert into product (merchant_id, id, name, type, brand_id, category_ids, tag_ids, description)
      select ${merchantId}, made.id, 'Cotton shirt ' || made.n, 'PHYSICAL', brand.id,
        array(select other.id from named as other where other.kind = 'category' and (made.n + other.n) % 17 = 0 order by other.n),
        array(select other.id from named as other where other.kind = 'tag' and (made.n + other.n) % 17 = 0 order by other.n),
        nullif(repeat('Ж', ${descriptionLength}), '')
      from made join named as brand on brand.kind = 'brand' and brand.n = made.n % 50`);
    await run(
      sql`insert into variant (merchant_id, id, product_id, position, sku) select ${merchantId}, variant, id, 0, 'SKU-' || n from made`,
    );
    await run(
      sql`insert into product_search (merchant_id, product_id, document) select ${merchantId}, id, to_tsvector('simple', 'cotton shirt') from made`,
    );
    await run(
      sql`insert into product_search_word (merchant_id, word) values (${merchantId}, 'cotton'), (${merchantId}, 'shirt')`,
    );
  });
  if (isAnalyzed) await owner.execute(sql`analyze`);
}

/** Adds variants with one price each to the products. */
export async function insertVariants(
  db: Database,
  { merchantId, perProduct }: { merchantId: string; perProduct: number },
): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.execute(sql`set local session_replication_role = replica`);
    await transaction.execute(sql`
      insert into variant (merchant_id, id, product_id, position, prices)
      select ${merchantId}, uuid_v7(), product.id, n, '[{"sellPrice":12.5,"buyPrice":null,"discountPrice":null,"currency":null,"priceListId":null}]'
      from product, generate_series(1, ${perProduct}::int) as n where product.merchant_id = ${merchantId}`);
  });
  await db.execute(sql`analyze`);
}
