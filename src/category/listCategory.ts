import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { category } from '../../drizzle/category.ts';
import type { Context } from '../context.ts';
import { contains, dateFilter, idFilter, nameFilter, notDeleted, nullCondition } from '../db/read/filter.ts';
import { idArray } from '../db/sql/parameter.ts';
import { readList } from '../db/read/read-page.ts';
import type { Selection } from '../db/read/projection.ts';
import { newestFirst } from '../db/read/sort.ts';
import type { Category, CategoryPathFilterInput, QueryListCategoryArgs } from '../graphql/generated/types.ts';
import { categoryProjection } from './category.ts';

export async function listCategory(
  ctx: Context,
  args: QueryListCategoryArgs,
  selection: Selection,
): Promise<Category[]> {
  return await readList(ctx, categoryProjection, {
    selection,
    pagination: args.pagination,
    order: newestFirst(category),
    where: (category) => [
      ...notDeleted(category.deleted, args.includeDeleted),
      ...pathFilter(category.path, args.categoryPath),
      ...idFilter(category.id, args.id),
      ...nameFilter(category.name, args.name),
      ...contains(category.name, args.search),
      ...dateFilter(category.updatedAt, args.updatedAt, 'updatedAt'),
    ],
  });
}

function pathFilter(path: AnyPgColumn, filter: CategoryPathFilterInput | null | undefined): SQL[] {
  return [
    ...(filter?.in ? [sql`${path} && ${idArray(filter.in)}`] : []),
    ...nullCondition(sql`${path} = '{}'`, filter),
  ];
}
