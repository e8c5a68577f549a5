import { sql } from 'drizzle-orm';
import { category } from '../../drizzle/category.ts';
import type { Context } from '../context.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { idArray, ownedBy } from '../db/sql/parameter.ts';
import { changeMarks } from '../db/write/touch.ts';
import { argumentInvalid, type CommerceError, type InputPath, invalidAt, notFound } from '../errors.ts';
import { merchantLock } from '../merchant/merchant-lock.ts';

/** Deeper than any real catalogue. Keeps `path` a short array. */
export const MAX_CATEGORY_DEPTH = 50;

const PARENT = ['input', 'parentId'];

/**
 * Locks the merchant's category tree until the end of the transaction: two concurrent moves could make a cycle. Take
 * it before any category is locked.
 */
export async function lockCategoryTree(ctx: Context): Promise<void> {
  await pipeline(ctx, [merchantLock(ctx)]);
}

/** The ids of all ancestors of a child of `parentId`, root first. The caller holds the lock of `lockCategoryTree`. */
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

type MovedCategory = { id: string; path: string[] };

/**
 * Updates the paths of all descendants of a category that moves to `path`. The caller holds the lock of
 * `lockCategoryTree`.
 */
export async function moveSubcategories(ctx: Context, moved: MovedCategory, path: string[]): Promise<void> {
  if (path.includes(moved.id)) throw invalidAt(PARENT, 'must not be the category itself or below it');
  const isDescendant = sql`${ownedBy(ctx, category)} and ${category.path} @> ${idArray([moved.id])}`;
  const [deepest] = await ctx.db
    .select({ ancestors: sql<number | null>`max(cardinality(${category.path}))` })
    .from(category)
    .where(isDescendant);
  if (typeof deepest?.ancestors !== 'number') return;
  checkDepth(deepest.ancestors - moved.path.length + path.length);
  const subPath = sql`${category.path}[${sql.raw(String(moved.path.length + 1))}:]`;
  await ctx.db.execute(
    sql`update ${category} set path = ${idArray(path)} || ${subPath}, ${changeMarks(category)} where ${isDescendant}`,
  );
}

function checkDepth(ancestors: number): void {
  if (ancestors >= MAX_CATEGORY_DEPTH) throw treeTooDeep([PARENT]);
}

export function treeTooDeep(paths: InputPath[]): CommerceError {
  const message = `must not make the tree deeper than ${MAX_CATEGORY_DEPTH} levels`;
  return argumentInvalid(paths.map((path) => ({ path, message })));
}
