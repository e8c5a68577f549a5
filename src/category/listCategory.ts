import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import { readRecordList } from '../db/read/record-list.ts';
import type { Category, QueryListCategoryArgs } from '../graphql/generated/types.ts';
import { categoryList } from './category-list.ts';

export async function listCategory(
  ctx: Context,
  args: QueryListCategoryArgs,
  selection: Selection,
): Promise<Category[]> {
  return await readRecordList(ctx, categoryList, args, selection);
}
