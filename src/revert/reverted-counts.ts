import { sql } from 'drizzle-orm';
import { changeSet } from '../../drizzle/change.ts';
import { recordedChange } from '../../drizzle/recorded-change.ts';
import type { MerchantContext } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { idArray } from '../db/sql/parameter.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import type { RecordPartChange } from './reverted-changes.ts';

/**
 * Leaves out the stock counts of changes that were reverted already, unless that revert was itself reverted. For other
 * members the present value shows it; of a count the difference is taken back, whatever the count is. The counts must be
 * locked, so that no other transaction reverts the same changes meanwhile.
 */
export async function withoutRevertedCounts(
  ctx: MerchantContext,
  parts: readonly RecordPartChange[],
): Promise<readonly RecordPartChange[]> {
  const counts = parts.filter(isOfCount);
  if (counts.length === 0) return parts;
  const reverted = await revertedCounts(ctx, counts);
  return parts.map((part) => (isOfCount(part) && reverted.has(keyOf(part)) ? withoutCount(part) : part));
}

function isOfCount({ recordType }: RecordPartChange): boolean {
  return recordType === 'PRODUCT_STOCK_LOCATION';
}

type ChangedCount = Pick<RecordPartChange, 'recordId' | 'changeSetId'>;

function keyOf({ recordId, changeSetId }: ChangedCount): string {
  return `${recordId} ${changeSetId}`;
}

/** The counts and change sets whose changes have no effect any more. */
async function revertedCounts(ctx: MerchantContext, counts: readonly ChangedCount[]): Promise<ReadonlySet<string>> {
  const reverted = new Set<string>();
  // The newest first: whether a revert was itself reverted is known when its turn comes.
  for (const { recordId, changeSetId, revertedSetId } of await revertsOf(ctx, counts))
    if (!reverted.has(keyOf({ recordId, changeSetId }))) reverted.add(keyOf({ recordId, changeSetId: revertedSetId }));
  return reverted;
}

/** What reverts of the change sets did to the counts, and reverts of these reverts, the newest first. */
async function revertsOf(ctx: MerchantContext, counts: readonly ChangedCount[]) {
  const recordIds = counts.map(({ recordId }) => recordId);
  const changeSetIds = [...new Set(counts.map(({ changeSetId }) => changeSetId))];
  const { id, revertsChangeSetId } = changeSet;
  return await readRows(
    ctx,
    { recordId: column.text, changeSetId: column.text, revertedSetId: column.text },
    sql`
    with recursive reverts as (
      select ${id} as id, ${revertsChangeSetId} as reverted_id from ${changeSet}
      where ${ownedBy(ctx, changeSet)} and ${revertsChangeSetId} = any(${idArray(changeSetIds)})
      union
      select ${id}, ${revertsChangeSetId} from reverts
      join ${changeSet} on ${ownedBy(ctx, changeSet)} and ${revertsChangeSetId} = reverts.id)
    select ${recordedChange.recordId} as "recordId", reverts.id as "changeSetId", reverts.reverted_id as "revertedSetId"
    from reverts join ${recordedChange} on ${ownedBy(ctx, recordedChange)} and ${recordedChange.changeSetId} = reverts.id
    where ${recordedChange.recordId} = any(${idArray(recordIds)}) and ${recordedChange.recordType} = 'PRODUCT_STOCK_LOCATION'
    order by ${recordedChange.id} desc`,
  );
}

/** A creation is left out as a whole: a count that was kept because of later changes must not be deleted now. */
function withoutCount(part: RecordPartChange): RecordPartChange {
  if (part.after[part.recordId]?.['createdAt'] !== undefined) return { ...part, before: {}, after: {} };
  const without = (rows: RecordPartChange['before']): RecordPartChange['before'] => {
    const members = Object.entries(rows[part.recordId] ?? {}).filter(([member]) => member !== 'stockCount');
    return { [part.recordId]: Object.fromEntries(members) };
  };
  return { ...part, before: without(part.before), after: without(part.after) };
}
