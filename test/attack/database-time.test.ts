import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { codes } from '../support/post.ts';
import { logLines } from '../support/process.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';
import { insertProducts } from './support/catalogue.ts';

const PRODUCTS = 10_000;
/** As many as a request may cost. */
const SEARCHES = 4;
const REQUESTS = 10;
const GONE_WITHIN_MS = 2_000;

let service: AttackedService;
beforeAll(async () => {
  service = await startAttackedService();
  await insertProducts(service.database.owner, { merchantId: service.attacker.ctx.merchantId, count: PRODUCTS });
}, 60_000);
afterAll(() => service.stop());

/** Searches that differ, so that none is answered from what another has found. */
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
  it('in all requests that are executed at once delay nobody else', async () => {
    const report = await attack(`${REQUESTS} requests of ${SEARCHES} searches`, service, async () => {
      const answers = await Promise.all(
        Array.from({ length: REQUESTS }, async () => await service.attacker.send({ query: searches() })),
      );
      for (const answer of answers) expect(codes(answer)).toEqual([]);
    });
    expect(report.asked).toBeGreaterThan(0);
    expectUnharmed(report);
  });

  it('end when their client goes away', async () => {
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
  it('is TIMEOUT, and logged with its operation', async () => {
    const slow = await startAttackedService({ STATEMENT_TIMEOUT_MS: '100' });
    try {
      await insertProducts(slow.database.owner, { merchantId: slow.attacker.ctx.merchantId, count: PRODUCTS });
      const answer = await slow.attacker.send({ query: searches(1) });
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
