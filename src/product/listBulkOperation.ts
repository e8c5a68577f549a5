import { bulkOperation } from '../../drizzle/bulk-operation.ts';
import type { Context } from '../context.ts';
import { dateFilter, idFilter } from '../db/filter/filter.ts';
import { idKey, order } from '../db/read/pagination.ts';
import type { Selection } from '../db/read/projection.ts';
import { type Page, readPage } from '../db/read/read-page.ts';
import type { BulkOperation, QueryListBulkOperationArgs } from '../graphql/generated/types.ts';
import { bulkOperationProjection } from './bulk-operation.ts';

/**
 * Sorted by id, because ids are generated in the order of creation: Postgres reads the primary key backwards and sorts
 * nothing.
 */
const newestFirst = order('-accepted', { accepted: idKey(bulkOperation.id) });

export async function listBulkOperation(
  ctx: Context,
  args: QueryListBulkOperationArgs,
  selection: Selection,
): Promise<Page<BulkOperation>> {
  return await readPage(ctx, bulkOperationProjection(ctx), {
    selection,
    pagination: args.pagination,
    order: newestFirst,
    where: (row) => [...idFilter(row.id, args.id), ...dateFilter(row.createdAt, args.createdAt)],
  });
}
