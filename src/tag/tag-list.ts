import type { productTag } from '../../drizzle/tag.ts';
import { contains, dateFilter, idFilter, nameFilter, notDeleted } from '../db/read/filter.ts';
import type { RecordList } from '../db/read/record-list.ts';
import type { ProductTag, QueryListProductTagArgs } from '../graphql/generated/types.ts';
import { tagProjection } from './tag.ts';

/** What `listProductTag` and `productTagPage` list. */
export const tagList: RecordList<ProductTag, typeof productTag, QueryListProductTagArgs> = {
  projection: () => tagProjection,
  filters: (tag, args) => [
    ...notDeleted(tag.deleted, args.includeDeleted),
    ...idFilter(tag.id, args.id),
    ...nameFilter(tag.name, args.name),
    ...contains(tag.name, args.search),
    ...dateFilter(tag.updatedAt, args.updatedAt, 'updatedAt'),
  ],
};
