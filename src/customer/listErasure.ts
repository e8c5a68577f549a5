import { erasure } from '../../drizzle/erasure.ts';
import type { Context } from '../context.ts';
import { dateFilter } from '../db/filter/filter.ts';
import { newestFirst } from '../db/read/pagination.ts';
import type { Selection } from '../db/read/projection.ts';
import { type Page, readPage } from '../db/read/read-page.ts';
import type { Erasure, QueryListErasureArgs } from '../graphql/generated/types.ts';
import { erasureProjection } from './erasure/erasure.ts';

export async function listErasure(
  ctx: Context,
  args: QueryListErasureArgs,
  selection: Selection,
): Promise<Page<Erasure>> {
  return await readPage(ctx, erasureProjection, {
    selection,
    pagination: args.pagination,
    order: newestFirst(erasure),
    where: (row) => dateFilter(row.createdAt, args.createdAt),
  });
}
