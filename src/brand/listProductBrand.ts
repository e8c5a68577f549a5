import { productBrand } from '../../drizzle/brand.ts';
import type { Context } from '../context.ts';
import { contains, dateFilter, idFilter, nameFilter, notDeleted } from '../db/read/filter.ts';
import { readList } from '../db/read/read-page.ts';
import type { Selection } from '../db/read/projection.ts';
import { newestFirst } from '../db/read/sort.ts';
import type { ProductBrand, QueryListProductBrandArgs } from '../graphql/generated/types.ts';
import { brandProjection } from './brand.ts';

export async function listProductBrand(
  ctx: Context,
  args: QueryListProductBrandArgs,
  selection: Selection,
): Promise<ProductBrand[]> {
  return await readList(ctx, brandProjection, {
    selection,
    pagination: args.pagination,
    order: newestFirst(productBrand),
    where: (brand) => [
      ...notDeleted(brand.deleted, args.includeDeleted),
      ...idFilter(brand.id, args.id),
      ...nameFilter(brand.name, args.name),
      ...contains(brand.name, args.search),
      ...dateFilter(brand.updatedAt, args.updatedAt, 'updatedAt'),
    ],
  });
}
