import { sql } from 'drizzle-orm';
import { membershipPendingProduct } from '../../../drizzle/category-membership.ts';
import type { MerchantContext } from '../../context.ts';
import { NO_ID } from '../../db/sql/id.ts';
import { idArray } from '../../db/sql/parameter.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { compareProducts } from './compare-products.ts';
import { automatedCategoriesAfter } from './conditional-categories.ts';
import { withMembershipLock } from './membership-lock.ts';

/** Compared by one statement with some of the merchant's categories. */
const PRODUCTS_PER_TURN = 500;

type Pending = { id: string; productId: string };

/**
 * Compares the oldest pending products with all automated categories, a part of the categories in each turn. Returns
 * whether there were any. Their rows are deleted with the last part: after a crash they are compared again, and a
 * product that changes meanwhile has a new row.
 */
export async function* compareChangedProducts(ctx: MerchantContext): AsyncGenerator<void, boolean> {
  const pending = await oldestPending(ctx);
  if (pending.length === 0) return false;
  const productIds = [...new Set(pending.map(({ productId }) => productId))];
  for (let after: string | undefined = NO_ID; after !== undefined;) {
    const begin: string = after;
    const compared = await withMembershipLock(ctx, async (ctx) => {
      const { categories, rest } = await automatedCategoriesAfter(ctx, begin);
      if (categories.length > 0) await compareProducts(ctx, productIds, categories);
      if (rest.length > 0) return { next: categories.at(-1)!.id };
      await remove(ctx, pending);
      return { next: undefined };
    });
    if (!compared) return false;
    after = compared.next;
    yield;
  }
  return true;
}

async function oldestPending(ctx: MerchantContext): Promise<Pending[]> {
  const { id, productId } = membershipPendingProduct;
  return [
    ...(await ctx.db.execute<Pending>(sql`
      select ${id} as "id", ${productId} as "productId" from ${membershipPendingProduct}
      where ${ownedBy(ctx, membershipPendingProduct)} order by ${id} limit ${sql.raw(String(PRODUCTS_PER_TURN))}`)),
  ];
}

async function remove(ctx: MerchantContext, pending: readonly Pending[]): Promise<void> {
  const ids = idArray(pending.map(({ id }) => id));
  await ctx.db.execute(sql`
    delete from ${membershipPendingProduct}
    where ${ownedBy(ctx, membershipPendingProduct)} and ${membershipPendingProduct.id} = any(${ids})`);
}
