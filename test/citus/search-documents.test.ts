import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { startTestService } from '../support/whole-service.ts';
import { post } from '../support/post.ts';
import { until } from '../worker/webhooks/receiver.ts';

const PRODUCTS = 1_000;
/** The worker polls twice a second, and writes 500 documents at a time. */
const FOUND_WITHIN_MS = 1_000;

it('makes the products of a large bulk request searchable within a second, without a trigger that wakes the worker', async () => {
  const service = await startTestService();
  try {
    const { token } = await service.createApp();
    const input = Array.from({ length: PRODUCTS }, (_, n) => ({
      sourceId: `p${n}`,
      name: `Lantern ${n}`,
      type: 'PHYSICAL',
      categories: [],
      productVariantTypes: [],
      variants: [{ sourceId: `v${n}`, isActive: true, prices: [{ sellPrice: 10 }] }],
    }));
    const { body } = await post(
      service.graphqlUrl,
      {
        query: 'mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }',
        variables: { input },
      },
      { token },
    );
    expect(body.errors).toBeUndefined();
    const answeredAtMs = performance.now();
    await until(
      async () => await pendingCount(service),
      (count) => count === 0,
      20_000,
    );
    const tookMs = Math.round(performance.now() - answeredAtMs);
    console.log(`search documents of ${PRODUCTS} products: ${tookMs} ms after the answer`);
    expect(tookMs).toBeLessThan(FOUND_WITHIN_MS);
  } finally {
    await service.stop();
  }
}, 120_000);

/** Counts the products whose search documents are not written yet. */
async function pendingCount({ owner }: Pick<Awaited<ReturnType<typeof startTestService>>, 'owner'>): Promise<number> {
  const [row] = await owner.execute<{ count: number }>(sql`select count(*)::int as count from product_search_pending`);
  return row!.count;
}
