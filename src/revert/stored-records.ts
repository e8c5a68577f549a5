import { sql } from 'drizzle-orm';
import { variant } from '../../drizzle/product.ts';
import { type RecordPart, recordParts } from '../change/record-parts.ts';
import type { Context } from '../context.ts';
import { type PipelineStep, pipeline, pipelineStep } from '../db/connection/pipeline.ts';
import { idArray, idArrayText } from '../db/sql/parameter.ts';
import { lockedRows, type RowCondition, storedRows } from '../db/write/stored-rows.ts';
import type { InputPath } from '../errors.ts';
import type { RecordPartChange } from './changed-parts.ts';
import { refuseErased } from './record/erased-customers.ts';
import { type PresentRecords, presentRecords, refuseTooLargeRecords } from './present-bytes.ts';
import { exactCount } from './record/exact-count.ts';
import type { RecordState, Row, RowState } from './record/take-back.ts';
import type { RevertedType } from './reverted-changes.ts';

/** Types in an order in which each refers only to those before it. */
export const revertedTypes: readonly RevertedType[] = [
  'SALES_CHANNEL',
  'STOCK_LOCATION',
  'PRICE_LIST',
  'PRODUCT_BRAND',
  'PRODUCT_TAG',
  'PRODUCT_ATTRIBUTE',
  'PRODUCT_VARIANT_TYPE',
  'CATEGORY',
  'PRODUCT',
  'PRODUCT_STOCK_LOCATION',
  'CUSTOMER',
];

/** Whether rows are locked until the end of the transaction. `path`: the place of the changes in the arguments. */
export type ReadSettings = { readonly areLocked: boolean; readonly path: InputPath };

/**
 * The records that the changes name as they are now. Of products the variants are read that are not deleted, and those
 * that the changes name.
 */
export async function readRecords(
  ctx: Context,
  changes: readonly RecordPartChange[],
  settings: ReadSettings,
): Promise<RecordState[]> {
  const changesOf = Map.groupBy(changes, ({ recordType }) => recordType);
  const types = revertedTypes.filter((type) => changesOf.has(type));
  const byType = new Map(types.map((type) => [type, presentRecords(changesOf.get(type)!)]));
  await refuseTooLargeRecords(ctx, byType, settings.path);
  const records: RecordState[] = [];
  for (const [recordType, own] of byType) records.push(...(await readRecordsOf(ctx, recordType, own, settings)));
  return records;
}

async function readRecordsOf(
  ctx: Context,
  recordType: RevertedType,
  { ids, variantIds }: PresentRecords,
  { areLocked, path }: ReadSettings,
): Promise<RecordState[]> {
  const parts: readonly RecordPart[] = recordParts[recordType];
  const records = new Map(
    ids.map((recordId): [string, RecordState] => [
      recordId,
      { recordType, recordId, rows: new Map(parts.map(({ part }) => [part, new Map<string, RowState>()])) },
    ]),
  );
  const rowsOf = areLocked ? lockedRows : storedRows;
  const isOfCounts = recordType === 'PRODUCT_STOCK_LOCATION';
  const steps = parts.map((part) => {
    const only = part.part === 'variants' && { only: liveOrNamed(variantIds) };
    const exact = isOfCounts && { exact: 'stockCount' as never };
    return into(records, part, rowsOf(ctx, part.table, { member: part.of as never, ids, ...only, ...exact }));
  });
  // Counts are locked in an order of their own.
  const counts = sql`select lock_stock_counts(${ctx.merchantId}::uuid, ${idArray(ids)})`;
  await pipeline(ctx, [...(isOfCounts && areLocked ? [pipelineStep(counts)] : []), ...steps]);
  if (recordType === 'CUSTOMER') await refuseErased(ctx, [...records.values()], path);
  return [...records.values()];
}

function into(
  records: ReadonlyMap<string, RecordState>,
  part: RecordPart,
  { statement, read }: PipelineStep<unknown>,
): PipelineStep<void> {
  return {
    statement,
    read: (rows) => {
      for (const stored of read(rows) as (Row & { id: string })[]) {
        const row =
          'stockCount' in stored ? { ...stored, stockCount: exactCount(String(stored['stockCount'])) } : stored;
        records
          .get(row[part.of] as string)
          ?.rows.get(part.part)!
          .set(row.id, { part, stored: row, target: row });
      }
    },
  };
}

function liveOrNamed(ids: readonly string[]): RowCondition {
  const list = idArrayText(ids);
  return {
    name: 'live or named',
    values: [list],
    condition: () => sql`(not ${variant.deleted} or ${variant.id} = any(${list}::uuid[]))`,
  };
}
