import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { saveCategory } from '../../../src/category/saveCategory.ts';
import { saveProduct } from '../../../src/product/saveProduct.ts';
import { plainProduct } from '../../product/products.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { createContext } from '../../support/context.ts';
import { startTestService } from '../../support/whole-service.ts';

/** Much shorter than the 30 s between the worker's regular runs, so that only an earlier run passes the test. */
const SHOWN_WITHIN_MS = 5_000;
/** The worker looks each second for ten seconds after a notification. */
const UNTIL_IDLE_MS = 11_000;
/** The worker reads the times of notifications each ten seconds. */
const UNTIL_WATCHED_MS = 11_000;
const SHOWN_SOON_MS = 2_500;
const TEST_TIMEOUT_MS = 90_000;
/** Longer than the 100 ms after a notification in which no other transaction notifies. */
const PAUSE_MS = 300;

it('shows a product in its automated category soon, although the notification was rolled back', async (test) => {
  skipOnCluster(test, 'the worker polls');
  const service = await startTestService({}, 'worker');
  try {
    const ctx = await createContext(service.db);
    const conditions = [{ conditionType: 'PRODUCT_NAME', valueList: ['shirt'] }];
    await saveCategory(ctx, { input: { name: 'shirts', isAutomated: true, conditions } as never }, { id: {} });
    const save = async (name: string) => await saveProduct(ctx, { input: plainProduct(name) as never }, { id: {} });
    const expectShown = async (count: number) =>
      await expect
        .poll(
          async () =>
            await service.db.execute(
              sql`select from category_product where merchant_id = ${ctx.merchantId} and by_conditions`,
            ),
          { timeout: SHOWN_WITHIN_MS },
        )
        .toHaveLength(count);
    const { id } = await save('first shirt');
    await expectShown(1);
    await wait(PAUSE_MS);
    const rename = sql`update product set name = name || '!' where merchant_id = ${ctx.merchantId} and id = ${id}`;
    await service.db
      .transaction(async (failing) => {
        await failing.execute(rename);
        failing.rollback();
      })
      .catch(() => undefined);
    await save('second shirt');
    await expectShown(2);
  } finally {
    await service.stop();
  }
});

it(
  'shows products in their automated category within seconds, while requests of another merchant fail all the time',
  async (test) => {
    skipOnCluster(test, 'the worker polls');
    const service = await startTestService({}, 'worker');
    const failing = new AbortController();
    try {
      const [ctx, other] = [await createContext(service.db), await createContext(service.db)];
      const save = async (own: typeof ctx, name: string) =>
        await saveProduct(own, { input: plainProduct(name) as never }, { id: {} });
      const conditions = [{ conditionType: 'PRODUCT_NAME', valueList: ['shirt'] }];
      for (const own of [ctx, other])
        await saveCategory(own, { input: { name: 'shirts', isAutomated: true, conditions } as never }, { id: {} });
      await save(other, 'shirt');
      await wait(UNTIL_IDLE_MS);
      const rename = sql`update product set name = name || '!' where merchant_id = ${other.merchantId}`;
      const fail = async (): Promise<void> => {
        while (!failing.signal.aborted) {
          const transaction = service.db.transaction(async (failing) => {
            await failing.execute(rename);
            failing.rollback();
          });
          await transaction.catch(() => undefined);
          await wait(100);
        }
      };
      const failed = fail();
      await wait(UNTIL_WATCHED_MS);
      for (const count of [1, 2, 3]) {
        await save(ctx, `shirt ${count}`);
        const shown = sql`select from category_product where merchant_id = ${ctx.merchantId} and by_conditions`;
        await expect.poll(async () => await service.db.execute(shown), { timeout: SHOWN_SOON_MS }).toHaveLength(count);
      }
      failing.abort();
      await failed;
    } finally {
      failing.abort();
      await service.stop();
    }
  },
  TEST_TIMEOUT_MS,
);
