import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import type { Page } from '../db/read/read-page.ts';
import { readRecordPage } from '../db/read/record-list.ts';
import type { Category, QueryCategoryPageArgs } from '../graphql/generated/types.ts';
import { categoryList } from './category-list.ts';

export async function categoryPage(
  ctx: Context,
  args: QueryCategoryPageArgs,
  selection: Selection,
): Promise<Page<Category>> {
  return await readRecordPage(ctx, categoryList, args, selection);
}
