import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codes } from '../support/post.ts';
import { logLines } from '../support/process.ts';
import { until } from '../worker/webhooks/receiver.ts';
import type { Merchant } from '../support/own-service.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

const CATEGORIES = 1_000;
const CONDITIONS = 201;
const TEXTS_PER_CONDITION = 5;
const TAGS = 1_000;
const PRODUCTS = 1_000;
const TAGS_PER_PRODUCT = 300;
/** With 1,000 products in a request others would wait for a second on a busy machine, also without categories. */
const PRODUCTS_PER_REQUEST = 200;
const SET_UP_TIMEOUT_MS = 120_000;
/** Less than 0.2 s without an attack. Some batches of the attacker come first. */
const SETTLED_WITHIN_MS = 5_000;
const MAX_STATEMENT_MS = 5_000;
const MAX_GROWTH_MIB = 250;
const STOPPED_WITHIN_MS = 15_000;
/** The worker's statements are sampled until the requests are over, at least for this time. */
const OBSERVED_MS = 2_500;

let service: AttackedService;
beforeAll(async () => {
  service = await startAttackedService();
  for (let from = 0; from < PRODUCTS; from += PRODUCTS_PER_REQUEST) await bulkUpdate(from, 'first');
  await addTags();
  await addCategories();
}, SET_UP_TIMEOUT_MS);
afterAll(async () => await service.stop());

describe('a merchant with 1,000 automated categories of 2,000 values each', () => {
  it('delays no other merchant, nor their automated categories', { timeout: SET_UP_TIMEOUT_MS }, async () => {
    const other = await service.createMerchant();
    const beforeMib = service.memoryMib();
    const settledMs: number[] = [];
    let longestMs = 0;
    const report = await attack('1,000 automated categories', service, async () => {
      let isOver = false;
      const observed = longestStatementMs(OBSERVED_MS, () => isOver);
      try {
        for (let from = 0; from < PRODUCTS; from += PRODUCTS_PER_REQUEST) await bulkUpdate(from, 'second');
        for (let times = 1; times <= 3; times++) settledMs.push(await settles(other, `mug ${times}`));
      } finally {
        isOver = true;
        longestMs = await observed;
      }
    });
    const grownMib = service.memoryMib() - beforeMib;
    console.log(
      `other merchant's category settled after ${settledMs.map(Math.round).join(', ')} ms; longest statement of the worker ${Math.round(longestMs)} ms; memory +${grownMib} MiB`,
    );
    expectUnharmed(report);
    expect(longestMs).toBeGreaterThan(0);
    expect(longestMs).toBeLessThan(MAX_STATEMENT_MS);
    expect(grownMib).toBeLessThan(MAX_GROWTH_MIB);
    expect(logLines(service.process.stdout()).filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it('does not delay the end of the service', async () => {
    const startedMs = performance.now();
    const ended = await Promise.race([service.process.stop('SIGTERM'), wait(STOPPED_WITHIN_MS, null)]);
    console.log(`SIGTERM: ended after ${Math.round(performance.now() - startedMs)} ms`);
    expect(ended).toMatchObject({ code: 0 });
  }, 30_000);
});

async function bulkUpdate(from: number, round: string): Promise<void> {
  const input = Array.from({ length: PRODUCTS_PER_REQUEST }, (_, index) => ({
    sourceId: `p${from + index}`,
    name: `${'a'.repeat(230)} ${round} ${from + index}`,
    type: 'PHYSICAL',
    categories: [],
    productVariantTypes: [],
    variants: [{ sourceId: `v${from + index}`, isActive: true, prices: [{ sellPrice: 10 }] }],
  }));
  const query = 'mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }';
  expect(codes(await service.attacker.send({ query, variables: { input } }))).toEqual([]);
}

/** Inserts tags by plain SQL, because their names would make a large request. */
async function addTags(): Promise<void> {
  await service.database.owner.transaction(async (transaction) => {
    await transaction.execute(sql`set local session_replication_role = replica`);
    await transaction.execute(sql`
      update product set tag_ids = array(
        select gen_random_uuid() from generate_series(1, ${TAGS_PER_PRODUCT}::int) where product.id is not null)
      where merchant_id = ${service.attacker.ctx.merchantId}`);
  });
}

/** Adds categories with conditions that no product meets, so that all conditions are compared. */
async function addCategories(): Promise<void> {
  const names = Array.from({ length: CONDITIONS - 1 }, (_, condition) => ({
    conditionType: 'PRODUCT_NAME',
    valueList: Array.from({ length: TEXTS_PER_CONDITION }, (_, n) => `${'a'.repeat(30)}b${condition} ${n}`),
  }));
  const tags = { conditionType: 'PRODUCT_TAG', valueList: Array.from({ length: TAGS }, () => randomUUID()) };
  await service.database.owner.execute(sql`
    insert into category (merchant_id, name, is_automated, conditions)
    select ${service.attacker.ctx.merchantId}, 'category ' || n, true, ${JSON.stringify([tags, ...names])}::json
    from generate_series(1, ${CATEGORIES}::int) as n`);
}

/** The time from a save until the merchant's new category has the product that meets its condition. */
async function settles(merchant: Merchant, name: string): Promise<number> {
  const input = { name, isAutomated: true, conditions: [{ conditionType: 'PRODUCT_NAME', valueList: [name] }] };
  const saved = await merchant.send({
    query: 'mutation ($input: CategoryInput!) { saveCategory(input: $input) { id } }',
    variables: { input },
  });
  expect(codes(saved)).toEqual([]);
  const { id } = saved.body.data!['saveCategory'] as { id: string };
  const startedMs = performance.now();
  const product = { name, type: 'PHYSICAL', variants: [{ prices: [{ sellPrice: 1 }] }] };
  const made = await merchant.send({
    query: 'mutation ($input: ProductInput!) { saveProduct(input: $input) { id } }',
    variables: { input: product },
  });
  expect(codes(made)).toEqual([]);
  const query = 'query ($id: String!) { listProduct(categoryIds: {eq: $id}) { count } }';
  const count = async () => {
    const { body } = await merchant.send({ query, variables: { id } });
    return (body.data!['listProduct'] as { count: number }).count;
  };
  await until(count, (found) => found === 1, SETTLED_WITHIN_MS);
  return performance.now() - startedMs;
}

/** The longest duration of a statement of the periodic tasks, sampled ten times a second. */
async function longestStatementMs(leastMs: number, isOver: () => boolean): Promise<number> {
  let longestMs = 0;
  for (const endsAtMs = performance.now() + leastMs; performance.now() < endsAtMs || !isOver(); await wait(100)) {
    const [row] = await service.database.owner.execute<{ ms: number }>(sql`
      select coalesce(max(extract(epoch from clock_timestamp() - query_start) * 1000), 0)::float8 as ms from pg_stat_activity
      where datname = current_database() and application_name = 'commerce-upkeep' and state = 'active'`);
    longestMs = Math.max(longestMs, row!.ms);
  }
  return longestMs;
}
