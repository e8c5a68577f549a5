import type { productBrand } from '../../drizzle/brand.ts';
import { contains, dateFilter, idFilter, nameFilter, notDeleted } from '../db/read/filter.ts';
import type { RecordList } from '../db/read/record-list.ts';
import type { ProductBrand, QueryListProductBrandArgs } from '../graphql/generated/types.ts';
import { brandProjection } from './brand.ts';

/** What `listProductBrand` and `productBrandPage` list. */
export const brandList: RecordList<ProductBrand, typeof productBrand, QueryListProductBrandArgs> = {
  projection: () => brandProjection,
  filters: (brand, args) => [
    ...notDeleted(brand.deleted, args.includeDeleted),
    ...idFilter(brand.id, args.id),
    ...nameFilter(brand.name, args.name),
    ...contains(brand.name, args.search),
    ...dateFilter(brand.updatedAt, args.updatedAt, 'updatedAt'),
  ],
};
