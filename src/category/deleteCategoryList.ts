import { category } from '../../drizzle/category.ts';
import type { Context } from '../context.ts';
import { deleteRecords } from '../db/write/delete.ts';
import type { MutationDeleteCategoryListArgs } from '../graphql/generated/types.ts';

export async function deleteCategoryList(ctx: Context, args: MutationDeleteCategoryListArgs): Promise<boolean> {
  return await deleteRecords(ctx, category, 'Category', args.idList);
}
