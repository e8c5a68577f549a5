import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { category } from '../../drizzle/category.ts';
import { nullCondition } from '../db/filter/filter.ts';
import type { RecordList } from '../db/read/record-list.ts';
import { idArray } from '../db/sql/parameter.ts';
import type { Category, CategoryPathFilterInput, QueryListCategoryArgs } from '../graphql/generated/types.ts';
import { categoryProjection } from './category.ts';

/** What `listCategory` and `categoryPage` list. */
export const categoryList: RecordList<Category, typeof category, Pick<QueryListCategoryArgs, 'categoryPath'>> = {
  projection: categoryProjection,
  filters: (category, args) => pathFilter(category.path, args.categoryPath),
};

function pathFilter(path: AnyPgColumn, filter: CategoryPathFilterInput | null | undefined): SQL[] {
  return [
    ...(filter?.in ? [sql`${path} && ${idArray(filter.in)}`] : []),
    ...nullCondition(sql`${path} = '{}'`, filter),
  ];
}
