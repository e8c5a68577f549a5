import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import { readRecord } from '../db/read/read-records.ts';
import type { BulkOperation, QueryGetBulkOperationArgs } from '../graphql/generated/types.ts';
import { bulkOperationProjection } from './bulk-operation.ts';

export async function getBulkOperation(
  ctx: Context,
  { id }: QueryGetBulkOperationArgs,
  selection: Selection,
): Promise<BulkOperation | null> {
  return await readRecord(ctx, bulkOperationProjection(ctx), id, selection);
}
