import { sql } from 'drizzle-orm';
import { membershipPendingProduct } from '../../../drizzle/category-membership.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { NO_ID } from '../../db/sql/id.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import { compareProducts } from './compare-products.ts';
import { automatedCategoriesAfter } from './conditional-categories.ts';
import { withMembershipLock } from './membership-lock.ts';
import type { TurnSize } from './turn-size.ts';

/** Compared by one statement with some of the merchant's categories. */
const MAX_PRODUCTS = 500;
/** A product has a row for each change since it was compared. */
const MAX_ROWS = 5_000;

type Pending = { id: string; productId: string };
/** `isFull`: there may be more products. */
type PendingProducts = { rows: readonly Pending[]; productIds: readonly string[]; isFull: boolean };

/**
 * Compares the oldest pending products with all automated categories, a part of the categories in each turn. Returns
 * whether there were any. Their rows are deleted with the last part: after a crash they are compared again, and a
 * product that changes meanwhile has a new row.
 */
export async function* compareChangedProducts(ctx: MerchantContext, size: TurnSize): AsyncGenerator<void, boolean> {
  const pending = await oldestPending(ctx, size.products(MAX_PRODUCTS));
  const { length } = pending.productIds;
  if (length === 0) return false;
  for (let after: string | null = NO_ID; after !== null;) {
    const begin: string = after;
    const turn = await size.measured(
      async () =>
        await withMembershipLock(
          ctx,
          async (ctx) => await compareNext(ctx, pending, begin, size.conditionPart(length, MAX_PRODUCTS)),
        ),
    );
    if (turn === null) return false;
    yield;
    if (turn === 'retry') return true;
    after = turn.lastCategoryId;
  }
  return true;
}

type Turn = { isFull: boolean; lastCategoryId: string | null };

/** Compares the products with the next automated categories. `lastCategoryId` is null if these were the last ones. */
async function compareNext(
  ctx: MerchantContext,
  { rows, productIds, isFull }: PendingProducts,
  after: string,
  part: number,
): Promise<Turn> {
  const { categories, rest } = await automatedCategoriesAfter(ctx, after, part);
  if (categories.length > 0) await compareProducts(ctx, productIds, categories);
  if (rest.length > 0) return { isFull: true, lastCategoryId: categories.at(-1)!.id };
  await remove(ctx, rows);
  return { isFull, lastCategoryId: null };
}

async function oldestPending(ctx: MerchantContext, limit: number): Promise<PendingProducts> {
  const { id, productId } = membershipPendingProduct;
  const oldest = await readRows(
    ctx,
    { id: column.text, productId: column.text },
    sql`
    select ${id} as "id", ${productId} as "productId" from ${membershipPendingProduct}
    where ${ownedBy(ctx, membershipPendingProduct)} order by ${id} limit ${sql.raw(String(MAX_ROWS))}`,
  );
  const productIds = [...new Set(oldest.map((row) => row.productId))].slice(0, limit);
  const taken = new Set(productIds);
  return { rows: oldest.filter((row) => taken.has(row.productId)), productIds, isFull: productIds.length === limit };
}

async function remove(ctx: MerchantContext, pending: readonly Pending[]): Promise<void> {
  const ids = idArray(pending.map(({ id }) => id));
  await ctx.db.execute(sql`
    delete from ${membershipPendingProduct}
    where ${ownedBy(ctx, membershipPendingProduct)} and ${membershipPendingProduct.id} = any(${ids})`);
}
