import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { category } from '../../drizzle/category.ts';
import { contains, dateFilter, idFilter, nameFilter, notDeleted, nullCondition } from '../db/read/filter.ts';
import type { RecordList } from '../db/read/record-list.ts';
import { idArray } from '../db/sql/parameter.ts';
import type { Category, CategoryPathFilterInput, QueryListCategoryArgs } from '../graphql/generated/types.ts';
import { categoryProjection } from './category.ts';

/** What `listCategory` and `categoryPage` list. */
export const categoryList: RecordList<Category, typeof category, QueryListCategoryArgs> = {
  projection: () => categoryProjection,
  filters: (category, args) => [
    ...notDeleted(category.deleted, args.includeDeleted),
    ...pathFilter(category.path, args.categoryPath),
    ...idFilter(category.id, args.id),
    ...nameFilter(category.name, args.name),
    ...contains(category.name, args.search),
    ...dateFilter(category.updatedAt, args.updatedAt, 'updatedAt'),
  ],
};

function pathFilter(path: AnyPgColumn, filter: CategoryPathFilterInput | null | undefined): SQL[] {
  return [
    ...(filter?.in ? [sql`${path} && ${idArray(filter.in)}`] : []),
    ...nullCondition(sql`${path} = '{}'`, filter),
  ];
}
