import type { variantType } from '../../drizzle/variant-type.ts';
import { dateFilter, idFilter, nameFilter, notDeleted } from '../db/read/filter.ts';
import type { RecordList } from '../db/read/record-list.ts';
import type { ProductVariantType, QueryListVariantTypeArgs } from '../graphql/generated/types.ts';
import { variantTypeProjection, variantTypeWithRemovedValues } from './variant-type.ts';

/** What `listVariantType` and `variantTypePage` list. */
export const variantTypeList: RecordList<ProductVariantType, typeof variantType, QueryListVariantTypeArgs> = {
  projection: (args) => (args.includeDeleted ? variantTypeWithRemovedValues : variantTypeProjection),
  filters: (type, args) => [
    ...notDeleted(type.deleted, args.includeDeleted),
    ...idFilter(type.id, args.id),
    ...nameFilter(type.name, args.name),
    ...dateFilter(type.updatedAt, args.updatedAt, 'updatedAt'),
  ],
};
