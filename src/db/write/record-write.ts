import type { MerchantContext } from '../../context.ts';
import type { PipelineStep } from '../connection/pipeline.ts';
import { type StampedTable, touch } from './touch.ts';
import { isUnchanged } from './unchanged.ts';
import { type InsertedRow, upsert } from './write.ts';

/**
 * `stored` is the locked row, null for a new record. `arePartsChanged`: rows of other tables that belong to the record,
 * such as its page metadata, are changed in the same transaction.
 */
type FormerState = { stored: object | null; arePartsChanged?: boolean };

/**
 * The step that writes a record, or none if nothing has changed, so that `updatedAt` moves exactly when something that
 * the record's type shows has changed.
 */
export function recordWrite<Table extends StampedTable>(
  ctx: MerchantContext,
  table: Table,
  row: InsertedRow<Table> & { id: string },
  { stored, arePartsChanged = false }: FormerState,
): PipelineStep<void>[] {
  if (!stored || !isUnchanged(row, stored)) return upsert(ctx, table, ['id' as never], [row]);
  return arePartsChanged ? touch(ctx, table, [row.id]) : [];
}
