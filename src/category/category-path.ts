import { sql } from 'drizzle-orm';
import { category } from '../../drizzle/category.ts';
import { merchant } from '../../drizzle/merchant.ts';
import type { Context } from '../context.ts';
import { idArray } from '../db/sql/parameter.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { argumentInvalid, notFound } from '../errors.ts';

/** Deeper than any shop is sorted; a path stays one short array. */
export const MAX_CATEGORY_DEPTH = 50;

const PARENT = ['input', 'parentId'];

/**
 * Lets one transaction at a time change who is below whom in the merchant's tree: two moves that see
 * only the tree before the other could close a circle. Taken before any category is locked.
 */
export async function lockCategoryTree(ctx: Context): Promise<void> {
  await ctx.db
    .select({ merchantId: merchant.merchantId })
    .from(merchant)
    .where(ownedBy(ctx, merchant))
    .for('no key update');
}

/** The ancestors of what stands directly below `parentId`, the root first. Needs the tree's lock. */
export async function childPath(ctx: Context, parentId: string | null): Promise<string[]> {
  if (parentId === null) return [];
  const [parent] = await ctx.db
    .select({ path: category.path })
    .from(category)
    .where(sql`${ownedBy(ctx, category)} and ${category.id} = any(${idArray([parentId])}) and not ${category.deleted}`);
  if (!parent) throw notFound('Category', [parentId], PARENT);
  const path = [...parent.path, parentId];
  checkDepth(path.length);
  return path;
}

type Placed = { id: string; path: string[] };

/** Takes along what is below a category whose ancestors become those of `path`. Needs the tree's lock. */
export async function moveSubcategories(ctx: Context, moved: Placed, path: string[]): Promise<void> {
  if (path.includes(moved.id))
    throw argumentInvalid([{ path: PARENT, message: 'must not be the category itself or below it' }]);
  const below = sql`${ownedBy(ctx, category)} and ${category.path} @> ${idArray([moved.id])}`;
  const [deepest] = await ctx.db
    .select({ ancestors: sql<number | null>`max(cardinality(${category.path}))` })
    .from(category)
    .where(below);
  if (typeof deepest?.ancestors !== 'number') return;
  checkDepth(deepest.ancestors - moved.path.length + path.length);
  const rest = sql`${category.path}[${sql.raw(String(moved.path.length + 1))}:]`;
  await ctx.db.execute(
    sql`update ${category} set path = ${idArray(path)} || ${rest}, updated_at = now() where ${below}`,
  );
}

function checkDepth(ancestors: number): void {
  if (ancestors < MAX_CATEGORY_DEPTH) return;
  throw argumentInvalid([{ path: PARENT, message: `must not make the tree deeper than ${MAX_CATEGORY_DEPTH} levels` }]);
}
