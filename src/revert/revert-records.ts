import type { Context } from '../context.ts';
import { lockCategoryTree } from '../category/category-path.ts';
import { mapInSlices } from '../limits/event-loop-slices.ts';
import { isZero } from './record/exact-count.ts';
import { compareFormer } from './record/former-members.ts';
import { moveCategories, takeMoves } from './record/move-categories.ts';
import { takeMovesBack } from './record/moved-rows.ts';
import { checkRecords, refuseCountsOutside } from './record-rules.ts';
import type { RecordPartChange } from './changed-parts.ts';
import type { RevertedType } from './reverted-changes.ts';
import { type OpenParts, withoutRevertedCounts } from './reverted-counts.ts';
import { readRecords, type ReadSettings, revertedTypes } from './stored-records.ts';
import { isCreationOfDeleted, type RecordState, takeBack } from './record/take-back.ts';
import { changedRows, releaseUniqueValues, writeRecords } from './record/write-records.ts';

/** A member of a record that has changed since. A value is null where there is none. */
export type RecordConflict = {
  recordType: RecordState['recordType'];
  recordId: string;
  path: string;
  expected: unknown;
  found: unknown;
};

/** Records as they are and as they will be, and the members that cannot be taken back. */
export type Plan = {
  readonly records: readonly RecordState[];
  readonly conflicts: readonly RecordConflict[];
  readonly open: OpenParts;
};

/** Takes changes back in memory, the last one first. `areLocked`: until the end of the transaction. */
export async function planRevert(
  ctx: Context,
  parts: readonly RecordPartChange[],
  { areLocked, path }: ReadSettings,
): Promise<Plan> {
  const records = await readRecords(ctx, parts, { areLocked, path });
  const byRecord = new Map(records.map((record) => [`${record.recordType} ${record.recordId}`, record]));
  const recordOf = ({ recordType, recordId }: RecordPartChange): RecordState =>
    byRecord.get(`${recordType} ${recordId}`)!;
  const open = await withoutRevertedCounts(ctx, parts);
  const gone = new Set(open.parts.filter((part) => isCreationOfDeleted(recordOf(part), part)).map(recordOf));
  const left = open.parts.filter((part) => !gone.has(recordOf(part)));
  const members = new Map(records.map((record) => [record, new Map<string, boolean>()]));
  await mapInSlices(ctx, left, (part) => compareFormer(recordOf(part), part, members.get(recordOf(part))!));
  // For one change set it is stored which counts were taken back, so their present values do not matter.
  if (isOfOneSet(parts)) for (const former of members.values()) former.delete('stockCount');
  // One for each member: what the last change of it expects.
  const found = new Map<string, RecordConflict>();
  await mapInSlices(ctx, left, (part) => {
    const { recordType, recordId } = part;
    for (const conflict of takeBack(recordOf(part), part, members.get(recordOf(part))!)) {
      const key = `${recordType} ${recordId} ${conflict.path}`;
      if (!found.has(key)) found.set(key, { recordType, recordId, ...conflict });
    }
  });
  for (const record of records) if (record.recordType === 'PRODUCT_STOCK_LOCATION') keepListed(record);
  const conflicts = [...found.values(), ...(await takeMovesBack(ctx, records, left, areLocked))];
  return { records, open, conflicts };
}

/**
 * A count that is not 0 is not deleted by a revert, nor left deleted when its difference is taken back: what is left of it
 * may be from later changes, and would be missing in lists and sums.
 */
function keepListed(count: RecordState): void {
  for (const row of changedRows(count))
    if (row.stored && row.target!['deleted'] === true && !isZero(row.target!['stockCount']))
      row.target = { ...row.target, deleted: false };
}

function isOfOneSet(parts: readonly RecordPartChange[]): boolean {
  return parts.every(({ changeSetId }) => changeSetId === parts[0]!.changeSetId);
}

/** Takes the locks that saves of such records take before they lock a record. */
export async function lockRules(ctx: Context, types: ReadonlySet<RevertedType>): Promise<void> {
  if (types.has('CATEGORY') || types.has('PRICE_LIST')) await lockCategoryTree(ctx);
}

/** Writes first and checks afterwards, because the records may refer to each other. */
export async function writePlan(ctx: Context, records: readonly RecordState[]): Promise<void> {
  refuseCountsOutside(records);
  const byType = Map.groupBy(records, ({ recordType }) => recordType);
  const moves = takeMoves(byType.get('CATEGORY') ?? []);
  await releaseUniqueValues(ctx, records);
  for (const recordType of revertedTypes) await writeRecords(ctx, byType.get(recordType) ?? []);
  await moveCategories(ctx, moves);
  await checkRecords(ctx, records);
}
