import { productTag } from '../../drizzle/tag.ts';
import type { Context } from '../context.ts';
import { contains, dateFilter, idFilter, nameFilter, notDeleted } from '../db/read/filter.ts';
import { readList } from '../db/read/read-page.ts';
import type { Selection } from '../db/read/projection.ts';
import { newestFirst } from '../db/read/sort.ts';
import type { ProductTag, QueryListProductTagArgs } from '../graphql/generated/types.ts';
import { tagProjection } from './tag.ts';

export async function listProductTag(
  ctx: Context,
  args: QueryListProductTagArgs,
  selection: Selection,
): Promise<ProductTag[]> {
  return await readList(ctx, tagProjection, {
    selection,
    pagination: args.pagination,
    order: newestFirst(productTag),
    where: (tag) => [
      ...notDeleted(tag.deleted, args.includeDeleted),
      ...idFilter(tag.id, args.id),
      ...nameFilter(tag.name, args.name),
      ...contains(tag.name, args.search),
      ...dateFilter(tag.updatedAt, args.updatedAt, 'updatedAt'),
    ],
  });
}
