import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '../../src/db/sql/id.ts';
import { codes } from '../support/post.ts';
import { logLines } from '../support/process.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';
import { insertProducts } from './support/catalogue.ts';

const PRODUCTS = 10_000;
/** The maximum in one request, because of their cost. */
const SEARCHES = 4;
const REQUESTS = 10;
const GONE_WITHIN_MS = 2_000;

let service: AttackedService;
beforeAll(async () => {
  service = await startAttackedService();
  await insertProducts(service.database.owner, { merchantId: service.attacker.ctx.merchantId, count: PRODUCTS });
}, 60_000);
afterAll(() => service.stop());

/** Different searches, so that none gets the result of another one. */
function searches(count = SEARCHES): string {
  const fields = Array.from(
    { length: count },
    (_, index) =>
      `s${index}: searchProducts(input: {pagination: {limit: 1, page: ${index + 1}}}) { totalCount facets { field values { id name count } } }`,
  );
  return `{ ${fields.join(' ')} }`;
}

async function runningStatements(): Promise<number> {
  const [row] = await service.database.db.execute<{ count: number }>(sql`
    select count(*)::int as "count" from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and query like '%facets%'`);
  return row!.count;
}

describe('searches with facets over 10,000 products', () => {
  // docs/reliability-tests.md: 30
  it('in as many requests as are executed at once delay nobody else', async () => {
    const report = await attack(`${REQUESTS} requests of ${SEARCHES} searches`, service, async () => {
      const answers = await Promise.all(
        Array.from({ length: REQUESTS }, async () => await service.attacker.send({ query: searches() })),
      );
      for (const answer of answers) expect(codes(answer)).toEqual([]);
    });
    expectUnharmed(report);
  });

  // docs/reliability-tests.md: 31
  it('end when their client disconnects', async () => {
    const report = await attack('searches whose clients go away', service, async () => {
      for (let round = 0; round < 3; round++) {
        const gone = AbortSignal.timeout(300);
        const requests = Array.from(
          { length: 8 },
          async () =>
            await fetch(service.graphqlUrl, {
              method: 'POST',
              headers: { authorization: `Bearer ${service.attacker.token}`, 'content-type': 'application/json' },
              body: JSON.stringify({ query: searches() }),
              signal: gone,
            }).catch(() => null),
        );
        await Promise.all(requests);
      }
      const endsAtMs = performance.now() + GONE_WITHIN_MS;
      while ((await runningStatements()) > 0 && performance.now() < endsAtMs) await wait(50);
      expect(await runningStatements()).toBe(0);
    });
    expectUnharmed(report);
  });
});

describe('searches with every condition and the longest lists over 10,000 products', () => {
  it('delay nobody else, and cost so much that a request can have only two', async () => {
    const ids = await attackersIds();
    const listed = (list: string[]) => ({ in: [...list, ...Array.from({ length: 1_000 - list.length }, newId)] });
    const unlisted = { nin: Array.from({ length: 1_000 }, newId) };
    const input = {
      brandId: listed(ids.product_brand!),
      tagIds: listed(ids.product_tag!),
      categoryIds: { ...listed(ids.category!), includeSubcategories: true },
      type: { in: ['PHYSICAL', 'DIGITAL'] },
      salesChannelIds: unlisted,
      attributeId: unlisted,
      price: { isNull: true },
      stock: { inStock: false, stockLocationIds: unlisted.nin },
      sort: '-price',
    };
    const fields = (count: number) =>
      Array.from(
        { length: count },
        (_, index) => `s${index}: searchProducts(input: $input) { totalCount facets { field values { id count } } }`,
      ).join(' ');
    const send = async (count: number) =>
      await service.attacker.send({ query: `query ($input: SearchInput!) { ${fields(count)} }`, variables: { input } });
    expect(codes(await send(3))).toEqual(['ARGUMENT_VALIDATION_ERROR']);
    const report = await attack('searches with every condition', service, async () => {
      for (const answer of await Promise.all(Array.from({ length: REQUESTS }, async () => await send(2)))) {
        expect(codes(answer)).toEqual([]);
        expect(answer.body.data).toMatchObject({ s0: { totalCount: expect.any(Number) } });
      }
    });
    expectUnharmed(report);
  });

  it('end also in deep trees and cycles of categories', async () => {
    const { merchantId } = service.attacker.ctx;
    const root = newId();
    const made = sql`
      insert into category (merchant_id, id, name, parent_id)
      select ${merchantId}, id, 'deep', lag(id, 1, ${root}::uuid) over (order by id)
      from (select uuid_v7() as id from generate_series(1, 4998)) as made order by id`;
    await service.database.owner.execute(sql`
      insert into category (merchant_id, id, name) values (${merchantId}, ${root}, 'root')`);
    await service.database.owner.execute(made);
    await service.database.owner.execute(sql`
      update category set parent_id = (select max(id::text)::uuid from category where merchant_id = ${merchantId} and name = 'deep')
      where merchant_id = ${merchantId} and id = ${root}`);
    const query = `{ listProduct(categoryIds: {eq: "${root}", includeSubcategories: true}) { count data { id } } }`;
    const report = await attack('a cycle of 4,999 categories', service, async () => {
      const answers = await Promise.all(
        Array.from({ length: REQUESTS }, async () => await service.attacker.send({ query })),
      );
      for (const answer of answers) expect(answer.body).toEqual({ data: { listProduct: { count: 0, data: [] } } });
    });
    expectUnharmed(report);
  });
});

/** The ids of the attacker's brands, tags and categories, by table. */
async function attackersIds(): Promise<Record<string, string[]>> {
  const entries = ['product_brand', 'product_tag', 'category'].map(async (table) => {
    const rows = await service.database.owner.execute<{ id: string }>(
      sql`select id from ${sql.identifier(table)} where merchant_id = ${service.attacker.ctx.merchantId} limit 1000`,
    );
    return [table, rows.map(({ id }) => id)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

describe('a text in a filter', () => {
  it('longer than its column is refused, naming the member', async () => {
    const report = await attack('a pattern of 1 MB', service, async () => {
      const query =
        'query ($name: StringFilterInput, $search: String) { listProduct(name: $name, search: $search) { data { id } } }';
      const pattern = 'ab'.repeat(500_000);
      const answers = await Promise.all(
        [{ name: { like: pattern } }, { name: { eq: pattern } }, { name: { nin: [pattern] } }, { search: pattern }].map(
          async (variables) => await service.attacker.send({ query, variables }),
        ),
      );
      expect(answers.map((answer) => codes(answer))).toEqual(answers.map(() => ['ARGUMENT_VALIDATION_ERROR']));
      expect(answers.map(({ body }) => body.errors![0]!.extensions['issues'])).toEqual(
        [['name', 'like'], ['name', 'eq'], ['name', 'nin', 0], ['search']].map((path) => [
          { path, message: expect.stringContaining('255') },
        ]),
      );
    });
    expectUnharmed(report);
  });
});

describe('a statement that takes too long', () => {
  // docs/reliability-tests.md: 30
  it('has the code TIMEOUT, and is logged with its operation', async () => {
    const slow = await startAttackedService({ STATEMENT_TIMEOUT_MS: '100' });
    try {
      // The statement waits for a lock, so that it takes too long on every machine.
      const answer = await slow.database.owner.transaction(async (transaction) => {
        await transaction.execute(sql`lock table product in access exclusive mode`);
        return await slow.attacker.send({ query: searches(1) });
      });
      expect(codes(answer)).toEqual(['TIMEOUT']);
      expect(answer.body.errors![0]!.message).toMatch(/ask for less/i);
      const logged = expect.objectContaining({
        operations: ['searchProducts'],
        msg: expect.stringMatching(/statement/),
      });
      await vi.waitFor(() => expect(logLines(slow.process.stdout())).toContainEqual(logged));
    } finally {
      await slow.stop();
    }
  });
});
