import { eq, sql } from 'drizzle-orm';
import { category } from '../../../drizzle/category.ts';
import { childPath, moveSubcategories } from '../../category/category-path.ts';
import type { Context } from '../../context.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import { changeMarks } from '../../db/write/touch.ts';
import type { RecordState, Row } from './take-back.ts';

/** A category that gets another parent. */
export type Move = { readonly id: string; readonly parentId: string | null };

/**
 * The categories that get another parent. Their rows keep the present one, because a parent also changes the paths of
 * subcategories, and because two categories may swap their places.
 */
export function takeMoves(records: readonly RecordState[]): Move[] {
  return records.flatMap(({ recordId, rows }) =>
    [...rows.get('')!.values()].flatMap((state) => {
      const { stored, target } = state;
      const [parentId, present] = [target, stored].map((row) => (row?.['parentId'] ?? null) as string | null);
      if (!target || parentId === present) return [];
      state.target = { ...target, parentId: present, path: stored?.['path'] ?? [] } as Row;
      return [{ id: recordId, parentId: parentId! }];
    }),
  );
}

/**
 * Moves categories by the rules of a save: first to the top of the tree, so that the order does not matter. The caller
 * holds the lock of the merchant's category tree.
 */
export async function moveCategories(ctx: Context, moves: readonly Move[]): Promise<void> {
  for (const { id } of moves) await moveTo(ctx, id, null);
  for (const { id, parentId } of moves) if (parentId !== null) await moveTo(ctx, id, parentId);
}

async function moveTo(ctx: Context, id: string, parentId: string | null): Promise<void> {
  const own = sql`${ownedBy(ctx, category)} and ${eq(category.id, id)}`;
  const [row] = await ctx.db.select({ path: category.path }).from(category).where(own);
  const path = await childPath(ctx, parentId);
  await moveSubcategories(ctx, { id, path: row!.path }, path);
  await ctx.db.execute(
    sql`update ${category} set parent_id = ${parentId}::uuid, path = ${idArray(path)}, ${changeMarks(category)} where ${own}`,
  );
}
