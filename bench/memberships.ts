import { sql } from 'drizzle-orm';
import { saveCategory } from '../src/category/saveCategory.ts';
import type { Context } from '../src/context.ts';
import { connect } from '../src/db/connection/connect.ts';
import { connectAcross } from '../src/db/connection/connect-for-work.ts';
import { PLAIN } from '../src/db/connection/placement.ts';
import { updateMemberships } from '../src/product/membership/update-memberships.ts';
import { saveProduct } from '../src/product/saveProduct.ts';
import { openBenchDatabase } from './database.ts';
import { cpuMs, openPostgresUsage } from './usage.ts';

const PRODUCTS = Number(process.argv[2] ?? 100_000);
const CATEGORIES = 50;
const TAGS = 100;
const ROUNDS = 11;
/** CPU times have a resolution of 10 ms. */
const SAVES = 400;
const STATEMENT_TIMEOUT_MS = 300_000;
const SETTLED_WITHIN_MS = 10_000;

/**
 * `node bench/memberships.ts [PRODUCTS]` measures the cost of automated categories in a shop with 50 of them:
 * - how long the worker takes to update their products after a change of a condition, of a brand's name or of 400
 *   prices;
 * - the CPU time that PostgreSQL takes to save a product, for this merchant and for one without automated categories.
 *   The connection has the settings of requests: without them PostgreSQL plans a statement of the price trigger at each
 *   save.
 *
 * Exits with 1 if an update takes more than ten seconds. The products are inserted by SQL while triggers are disabled.
 */
const database = await openBenchDatabase([100]);
const { db, close } = connect(database.url, { poolSize: 2, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
const saving = connect(database.url, { poolSize: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS, ...PLAIN.requests });
const { across, close: closeAcross } = connectAcross(database.url, PLAIN, {});
const postgresMs = await openPostgresUsage(database.url);
const merchantId = '01a00000-0000-7000-8000-000000000001';
const other = '01a00000-0000-7000-8000-000000000002';
/** As in requests, the session knows whether the merchant has automated categories. */
const contextOf = (id: string) =>
  ({
    db: saving.db,
    merchantId: id,
    session: { hasAutomatedCategories: id === merchantId && areCategoriesSaved },
  }) as Context;
let areCategoriesSaved = false;
const idOf = (kind: string, n: number) => `01a00000-0000-7000-${kind}-${String(n).padStart(12, '0')}`;
try {
  for (const merchant of [merchantId, other]) await createShop(merchant);
  await db.execute(sql`analyze`);
  await saveCost('a save, no merchant has automated categories');
  const categories: string[] = [];
  await settling(`${CATEGORIES} new categories, each with a tenth of the products`, async () => {
    for (let n = 0; n < CATEGORIES; n++) categories.push(await saveConditions(undefined, tagsFrom(n)));
  });
  await settling('a condition, after which the category has other products', async () => {
    await saveConditions(categories[0], tagsFrom(50));
  });
  await settling('a condition, after which the category has all products', async () => {
    await saveConditions(categories[1], [{ conditionType: 'PRICE_RANGE', valueList: ['', ''] }]);
  });
  await settling('a new name of a brand that a condition names', async () => {
    await saveConditions(categories[2], [{ conditionType: 'PRODUCT_BRAND', valueList: [idOf('b000', 1)] }]);
    await db.execute(
      sql`update product_brand set name = 'new' where merchant_id = ${merchantId} and id = ${idOf('b000', 1)}`,
    );
  });
  await settling('400 products with another price', async () => {
    await db.execute(sql`
      update variant set prices = '[{"sellPrice":3}]' where merchant_id = ${merchantId} and product_id in (
        select id from product where merchant_id = ${merchantId} order by id limit 400)`);
  });
  areCategoriesSaved = true;
  await saveCost(`a save, this merchant has ${CATEGORIES} automated categories`);
} finally {
  await close();
  await saving.close();
  await closeAcross();
  await database.close();
}

/** Inserts a merchant with `PRODUCTS` products. Each has one variant, one of 100 tags and one of 10 brands. */
async function createShop(merchant: string): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.execute(sql`set local session_replication_role = replica`);
    await transaction.execute(sql`
      insert into merchant (merchant_id, sequence, email, first_name, last_name) values (${merchant}, 1, 'a@example.com', 'A', 'B')`);
    await transaction.execute(
      sql`insert into category (merchant_id, id, name) values (${merchant}, ${idOf('d000', 1)}, 'saved into')`,
    );
    await transaction.execute(sql`
      insert into product_tag (merchant_id, id, name) select ${merchant}, ('01a00000-0000-7000-a000-' || lpad(n::text, 12, '0'))::uuid, 'tag ' || n
      from generate_series(0, ${TAGS}::int - 1) as n`);
    await transaction.execute(sql`
      insert into product_brand (merchant_id, id, name) select ${merchant}, ('01a00000-0000-7000-b000-' || lpad(n::text, 12, '0'))::uuid, 'brand ' || n
      from generate_series(0, 9) as n`);
    await transaction.execute(sql`
      insert into product (merchant_id, name, type, brand_id, tag_ids)
      select ${merchant}, 'product ' || n, 'PHYSICAL', ('01a00000-0000-7000-b000-' || lpad((n % 10)::text, 12, '0'))::uuid,
        array[('01a00000-0000-7000-a000-' || lpad((n % ${TAGS}::int)::text, 12, '0'))::uuid]
      from generate_series(1, ${PRODUCTS}::int) as n`);
    await transaction.execute(sql`
      insert into variant (merchant_id, product_id, position, prices)
      select merchant_id, id, 0, '[{"sellPrice":10,"discountPrice":null,"priceListId":null}]' from product where merchant_id = ${merchant}`);
  });
}

type Condition = { conditionType: 'PRODUCT_TAG' | 'PRICE_RANGE' | 'PRODUCT_BRAND'; valueList: string[] };

/** Ten tags, and a price that all products have. */
function tagsFrom(first: number): Condition[] {
  const valueList = Array.from({ length: 10 }, (_, n) => idOf('a000', (first + n) % TAGS));
  return [
    { conditionType: 'PRODUCT_TAG', valueList },
    { conditionType: 'PRICE_RANGE', valueList: ['5-20'] },
  ];
}

async function saveConditions(id: string | undefined, conditions: Condition[]): Promise<string> {
  const members = { name: 'automated', isAutomated: true, shouldMatchAllConditions: true, conditions };
  return (
    await saveCategory(contextOf(merchantId), { input: id === undefined ? members : { id, ...members } }, { id: {} })
  ).id;
}

async function settling(title: string, change: () => Promise<void>): Promise<void> {
  await change();
  const [begunMs, usedMs] = [performance.now(), await postgresMs()];
  await updateMemberships({ db, across }, new AbortController().signal);
  const takenMs = (await postgresMs())! - usedMs!;
  const settledMs = Math.round(performance.now() - begunMs);
  const rows = await db.execute(
    sql`select count(*)::int as rows from category_product where merchant_id = ${merchantId} and by_conditions`,
  );
  console.log(JSON.stringify({ change: title, settledMs, postgresCpuMs: Math.round(takenMs), ...rows[0] }));
  if (!title.includes('new categories') && settledMs > SETTLED_WITHIN_MS) process.exitCode = 1;
}

/** The two merchants take turns. The time is that of the connection's process, without autovacuum and others. */
async function saveCost(title: string): Promise<void> {
  const [row] = await saving.db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  const timesMs: Record<string, number[]> = { [merchantId]: [], [other]: [] };
  for (let round = -1; round < ROUNDS; round++) {
    for (const merchant of round % 2 === 0 ? [merchantId, other] : [other, merchantId]) {
      const usedMs = await cpuMs(row!.pid);
      for (let n = 0; n < SAVES; n++) await save(merchant, `saved ${round} ${n}`);
      if (round >= 0) timesMs[merchant]!.push(((await cpuMs(row!.pid)) - usedMs) / SAVES);
    }
  }
  const median = (times: number[]) => Math.round(times.toSorted((a, b) => a - b)[times.length >> 1]! * 1_000) / 1_000;
  console.log(
    JSON.stringify({
      cost: title,
      postgresCpuMs: median(timesMs[merchantId]!),
      ofOtherMerchant: median(timesMs[other]!),
    }),
  );
}

async function save(merchant: string, name: string): Promise<void> {
  const variants = [1, 2, 3].map((n) => ({ prices: [{ sellPrice: n }], isActive: true, sku: `${name} ${n}` }));
  const references = { categoryIds: [idOf('d000', 1)], tagIds: [idOf('a000', 1)], brandId: idOf('b000', 1) };
  const input = { name, type: 'PHYSICAL' as const, ...references, variants };
  await saveProduct(contextOf(merchant), { input }, { id: {} });
}
