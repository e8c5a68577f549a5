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
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
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
