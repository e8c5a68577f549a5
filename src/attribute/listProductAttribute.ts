import { productAttribute } from '../../drizzle/attribute.ts';
import type { Context } from '../context.ts';
import { dateFilter, idFilter, nameFilter, notDeleted } from '../db/read/filter.ts';
import { readList } from '../db/read/read-page.ts';
import type { Selection } from '../db/read/projection.ts';
import { newestFirst } from '../db/read/sort.ts';
import type { ProductAttribute, QueryListProductAttributeArgs } from '../graphql/generated/types.ts';
import { attributeProjection, attributeWithRemovedOptions } from './attribute.ts';

export async function listProductAttribute(
  ctx: Context,
  args: QueryListProductAttributeArgs,
  selection: Selection,
): Promise<ProductAttribute[]> {
  const type = args.includeDeleted ? attributeWithRemovedOptions : attributeProjection;
  return await readList(ctx, type, {
    selection,
    pagination: args.pagination,
    order: newestFirst(productAttribute),
    where: (attribute) => [
      ...notDeleted(attribute.deleted, args.includeDeleted),
      ...idFilter(attribute.id, args.id),
      ...nameFilter(attribute.name, args.name),
      ...dateFilter(attribute.updatedAt, args.updatedAt, 'updatedAt'),
    ],
  });
}
