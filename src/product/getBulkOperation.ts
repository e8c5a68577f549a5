import { sql } from 'drizzle-orm';
import { bulkOperation, bulkOperationImage } from '../../drizzle/bulk-operation.ts';
import type { Context } from '../context.ts';
import { isId } from '../db/sql/id.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import type { BulkOperation, BulkOperationError, QueryGetBulkOperationArgs } from '../graphql/generated/types.ts';

type Row = Omit<BulkOperation, '__typename' | 'status' | 'errors'> & { errors: BulkOperationError[] | null };

export async function getBulkOperation(ctx: Context, { id }: QueryGetBulkOperationArgs): Promise<BulkOperation | null> {
  if (!isId(id)) return null;
  const [row] = await ctx.db.execute<Row>(sql`
    select ${bulkOperation.id} as "id", ${bulkOperation.total} as "total", ${bulkOperation.created} as "created",
      ${bulkOperation.updated} as "updated", ${bulkOperation.deleted} as "deleted",
      (extract(epoch from ${bulkOperation.createdAt}) * 1000)::float8 as "createdAt",
      (extract(epoch from greatest(${bulkOperation.updatedAt}, images.changed)) * 1000)::float8 as "updatedAt",
      images.pending as "imagesPending", images.failed as "imagesFailed", images.errors as "errors"
    from ${bulkOperation}, (
      select count(*) filter (where state = 'PENDING')::int as pending,
        count(*) filter (where state = 'FAILED')::int as failed, max(updated_at) as changed,
        json_agg(json_build_object('path', path, 'message', error) order by path collate "C")
          filter (where state = 'FAILED') as errors
      from ${bulkOperationImage}
      where ${ownedBy(ctx, bulkOperationImage)} and ${bulkOperationImage.bulkOperationId} = ${id}::uuid
    ) as images
    where ${ownedBy(ctx, bulkOperation)} and ${bulkOperation.id} = ${id}::uuid`);
  if (!row) return null;
  return { ...row, status: row.imagesPending > 0 ? 'RUNNING' : 'COMPLETED', errors: row.errors ?? [] };
}
