import type { productAttribute } from '../../drizzle/attribute.ts';
import { dateFilter, idFilter, nameFilter, notDeleted } from '../db/read/filter.ts';
import type { RecordList } from '../db/read/record-list.ts';
import type { ProductAttribute, QueryListProductAttributeArgs } from '../graphql/generated/types.ts';
import { attributeProjection, attributeWithRemovedOptions } from './attribute.ts';

/** What `listProductAttribute` and `productAttributePage` list. */
export const attributeList: RecordList<ProductAttribute, typeof productAttribute, QueryListProductAttributeArgs> = {
  projection: (args) => (args.includeDeleted ? attributeWithRemovedOptions : attributeProjection),
  filters: (attribute, args) => [
    ...notDeleted(attribute.deleted, args.includeDeleted),
    ...idFilter(attribute.id, args.id),
    ...nameFilter(attribute.name, args.name),
    ...dateFilter(attribute.updatedAt, args.updatedAt, 'updatedAt'),
  ],
};
