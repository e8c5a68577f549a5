import { variantType } from '../../drizzle/variant-type.ts';
import type { Context } from '../context.ts';
import { dateFilter, idFilter, nameFilter, notDeleted } from '../db/read/filter.ts';
import { readList } from '../db/read/read-page.ts';
import type { Selection } from '../db/read/projection.ts';
import { newestFirst } from '../db/read/sort.ts';
import type { ProductVariantType, QueryListVariantTypeArgs } from '../graphql/generated/types.ts';
import { variantTypeProjection, variantTypeWithRemovedValues } from './variant-type.ts';

export async function listVariantType(
  ctx: Context,
  args: QueryListVariantTypeArgs,
  selection: Selection,
): Promise<ProductVariantType[]> {
  const type = args.includeDeleted ? variantTypeWithRemovedValues : variantTypeProjection;
  return await readList(ctx, type, {
    selection,
    pagination: args.pagination,
    order: newestFirst(variantType),
    where: (type) => [
      ...notDeleted(type.deleted, args.includeDeleted),
      ...idFilter(type.id, args.id),
      ...nameFilter(type.name, args.name),
      ...dateFilter(type.updatedAt, args.updatedAt, 'updatedAt'),
    ],
  });
}
