import { sql } from 'drizzle-orm';
import { membershipPendingCategory } from '../../../drizzle/category-membership.ts';
import { product } from '../../../drizzle/product.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import { compareProducts } from './compare-products.ts';
import { categoriesAmong } from './conditional-categories.ts';
import { withMembershipLock } from './membership-lock.ts';
import type { TurnSize } from './turn-size.ts';

/** Maximum number of products that one statement compares with the conditions of some of the categories. */
const MAX_PRODUCTS = 2_000;
const MAX_PENDING = 1_000;

type Pending = { id: string; categoryId: string; afterProductId: string };
type NextProduct = { id: string; isSaved: boolean };
type Turn = { isFull: boolean };

/**
 * Compares the next products with the conditions of the oldest pending categories. Returns whether there were any.
 * How far each category is stands in its row, so that a crash loses no more than a turn.
 */
export async function compareChangedCategories(ctx: MerchantContext, size: TurnSize): Promise<boolean> {
  if ((await pendingCategories(ctx, 1)).length === 0) return false;
  const turn = await size.measured(
    async () => await withMembershipLock(ctx, async (ctx) => await compareNext(ctx, size)),
  );
  return turn !== null;
}

async function compareNext(ctx: MerchantContext, size: TurnSize): Promise<Turn | null> {
  const pending = await pendingCategories(ctx, MAX_PENDING);
  if (pending.length === 0) return null;
  const open = leastCompared(pending);
  const after = open[0]!.afterProductId;
  const abreast = open.filter(({ afterProductId }) => afterProductId === after).map(({ categoryId }) => categoryId);
  const limit = size.products(MAX_PRODUCTS);
  const { categories } = await categoriesAmong(ctx, abreast, size.conditionPart(limit, MAX_PRODUCTS));
  const taken = new Set(categories.map(({ id }) => id));
  const products = await productsAfter(ctx, after, limit, [...taken]);
  const productIds = products.map(({ id }) => id);
  const saved = products.filter(({ isSaved }) => isSaved).map(({ id }) => id);
  if (products.length > 0) await compareProducts(ctx, productIds, categories, saved);
  const compared = open.filter(({ categoryId }) => taken.has(categoryId)).map(({ id }) => id);
  const known = new Set(open.map(({ id }) => id));
  const outdated = pending.map(({ id }) => id).filter((id) => !known.has(id));
  const isFull = products.length === limit;
  if (isFull) await advance(ctx, compared, productIds.at(-1)!);
  await remove(ctx, isFull ? outdated : [...outdated, ...compared]);
  return { isFull };
}

/**
 * One row of each category: the one with the smallest `afterProductId`. That need not be the newest row: a transaction
 * may commit new conditions together with an older row while products are being compared for a newer one.
 */
function leastCompared(pending: readonly Pending[]): Pending[] {
  const rows = new Map<string, Pending>();
  for (const row of pending) {
    const other = rows.get(row.categoryId);
    if (!other || row.afterProductId < other.afterProductId) rows.set(row.categoryId, row);
  }
  return [...rows.values()];
}

async function pendingCategories(ctx: MerchantContext, limit: number): Promise<Pending[]> {
  const { id, categoryId, afterProductId } = membershipPendingCategory;
  return await readRows(
    ctx,
    { id: column.text, categoryId: column.text, afterProductId: column.text },
    sql`
      select ${id} as "id", ${categoryId} as "categoryId", ${afterProductId} as "afterProductId"
      from ${membershipPendingCategory}
      where ${ownedBy(ctx, membershipPendingCategory)} order by ${id} limit ${sql.raw(String(limit))}`,
  );
}

/** `isSaved`: the product was saved into one of the categories, which may have become automated or manual. */
async function productsAfter(
  ctx: MerchantContext,
  after: string,
  limit: number,
  categoryIds: readonly string[],
): Promise<NextProduct[]> {
  return await readRows(
    ctx,
    { id: column.text, isSaved: column.boolean },
    sql`
      select ${product.id} as "id", ${product.categoryIds} && ${idArray(categoryIds)} as "isSaved" from ${product}
      where ${ownedBy(ctx, product)} and ${product.id} > ${after}::uuid
      order by ${product.id} limit ${sql.raw(String(limit))}`,
  );
}

async function advance(ctx: MerchantContext, ids: readonly string[], productId: string): Promise<void> {
  await ctx.db.execute(sql`
    update ${membershipPendingCategory} set after_product_id = ${productId}::uuid
    where ${ownedBy(ctx, membershipPendingCategory)} and ${membershipPendingCategory.id} = any(${idArray(ids)})`);
}

async function remove(ctx: MerchantContext, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await ctx.db.execute(sql`
    delete from ${membershipPendingCategory}
    where ${ownedBy(ctx, membershipPendingCategory)} and ${membershipPendingCategory.id} = any(${idArray(ids)})`);
}
