import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listCategory } from '../../../src/category/listCategory.ts';
import { saveCategory } from '../../../src/category/saveCategory.ts';
import type { Context } from '../../../src/context.ts';
import { inTransaction } from '../../../src/db/connection/transaction.ts';
import { bulkUpdateProducts } from '../../../src/product/bulkUpdateProducts.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { waitForLocks } from '../../support/wait-for-locks.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const category = async (ctx: Context, input: { id?: string; name: string; parentId?: string }) =>
  (await saveCategory(ctx, { input }, { id: {} })).id;

it('a category is not created below one that another transaction moves meanwhile', async () => {
  const ctx = await createContext(database.db);
  const [above, moved] = [await category(ctx, { name: 'X' }), await category(ctx, { name: 'A' })];
  const variants = [{ sku: 'tee', isActive: true, prices: [{ sellPrice: 1 }] }];
  const product = { name: 'Tee', type: 'PHYSICAL' as const, productVariantTypes: [], variants };
  const bulk = async () =>
    await bulkUpdateProducts(ctx, { input: [{ ...product, categories: [{ name: ['A', 'B'] }] }] as never });

  let sent: Promise<string> | undefined;
  await inTransaction(ctx, async (moving) => {
    await category(moving, { id: moved, name: 'A', parentId: above });
    sent = bulk();
    await waitForLocks(database.db, 1);
  });
  await sent;

  const categories = await listCategory(ctx, {}, { id: {}, name: {}, parentId: {} });
  const byId = new Map(categories.map((one) => [one.id, one]));
  const path = (id: string): string => {
    const { name, parentId } = byId.get(id)!;
    return parentId === null ? name : `${path(parentId!)} > ${name}`;
  };
  expect(categories.map(({ id }) => path(id)).toSorted()).toEqual(['A', 'A > B', 'X', 'X > A']);
  const stored = await database.db.execute<{ parents: number }>(
    sql`select cardinality(path) as parents from category where merchant_id = ${ctx.merchantId} and name = 'B'`,
  );
  expect(stored).toEqual([{ parents: 1 }]);
});
