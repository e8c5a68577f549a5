import { sql } from 'drizzle-orm';
import { changeSet } from '../../drizzle/change.ts';
import { recordedChange } from '../../drizzle/recorded-change.ts';
import { revertRun } from '../../drizzle/revert.ts';
import type { MerchantContext } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { isHashed, isTrue } from '../db/filter/matcher.ts';
import { idArray, ownedBy } from '../db/sql/parameter.ts';
import type { RecordPartChange } from './changed-parts.ts';

/** What is still to be taken back. */
export type OpenParts = {
  readonly parts: readonly RecordPartChange[];
  /** The movements among them. */
  readonly movementIds: readonly string[];
};

/**
 * Leaves out the movements of stock counts that were reverted already, unless that revert was itself reverted. For other
 * members the present value shows it; of a count the difference is taken back, whatever the count is. The counts must be
 * locked, so that no other transaction reverts the same changes meanwhile.
 */
export async function withoutRevertedCounts(
  ctx: MerchantContext,
  parts: readonly RecordPartChange[],
): Promise<OpenParts> {
  const counts = parts.filter(isOfCount);
  if (counts.length === 0) return { parts, movementIds: [] };
  const reverted = await revertedCounts(ctx, counts);
  return {
    parts: parts.map((part) => (reverted.has(part) ? withoutCount(part) : part)),
    movementIds: counts.filter((part) => !reverted.has(part)).map(({ changeId }) => changeId),
  };
}

function isOfCount({ recordType }: RecordPartChange): boolean {
  return recordType === 'PRODUCT_STOCK_LOCATION';
}

type ChangedCount = Pick<RecordPartChange, 'recordId' | 'changeId' | 'changeTransactionId' | 'changeSetId'>;
/** What each revert took back. */
type TakenChanges = Map<ChangedCount, ReadonlySet<ChangedCount>>;

/** The changes of counts that have been taken back already. */
async function revertedCounts(ctx: MerchantContext, counts: readonly ChangedCount[]): Promise<Set<ChangedCount>> {
  const reverts = await revertsOf(ctx, counts);
  const moved = new Set(reverts.filter(({ isMovement }) => isMovement).map(keyOfSet));
  const taken: TakenChanges = new Map();
  const changes = Map.groupBy(counts, ({ recordId }) => recordId);
  // The oldest first: each has taken back what was in effect at its time.
  for (const revert of reverts) {
    // The deletion of a count stays a change when its movement alone is taken back. A count of 0 has no
    // movement, so its deletion alone shows the revert.
    if (!revert.isMovement && moved.has(keyOfSet(revert))) continue;
    const ofCount = changes.get(revert.recordId)!;
    const reverted = revertedOf(ofCount, taken);
    taken.set(revert, new Set(ofCount.filter((change) => isNamed(revert, change))).difference(reverted));
    ofCount.push(revert);
  }
  return new Set([...changes.values()].flatMap((ofCount) => [...revertedOf(ofCount, taken)]));
}

/** Begins with the newest change, because a later revert can take an earlier one back. Several can have reverted a change. */
function revertedOf(ofCount: readonly ChangedCount[], taken: TakenChanges): Set<ChangedCount> {
  const reverted = new Set<ChangedCount>();
  for (const change of ofCount.toReversed())
    if (!reverted.has(change)) for (const other of taken.get(change) ?? []) reverted.add(other);
  return reverted;
}

const keyOfSet = ({ recordId, changeSetId }: ChangedCount): string => `${recordId} ${changeSetId}`;

/** Whether the revert names the change, or its whole change set or transaction. */
function isNamed({ revertedId, movementIds }: Revert, change: ChangedCount): boolean {
  if (movementIds) return movementIds.has(change.changeId);
  return revertedId === change.changeSetId || revertedId === change.changeTransactionId;
}

type Revert = Awaited<ReturnType<typeof revertsOf>>[number];

/**
 * What reverts of the change sets did to the counts, and reverts of these reverts, the oldest first. `revertedId`: the
 * change set, or its transaction if a revert in the background took back one bulk operation of a request. `movementIds`: the
 * movements that a revert of single changes names. The database sends them with one row of each revert: a revert can
 * name 1,000 movements, and have as many rows. Of a large change set only the range of the records is read.
 */
async function revertsOf(ctx: MerchantContext, counts: readonly ChangedCount[]) {
  const recordIds = [...new Set(counts.map(({ recordId }) => recordId))].sort();
  const changeSetIds = idArray([...new Set(counts.map(({ changeSetId }) => changeSetId))]);
  const { id, revertsChangeSetId, revertsMovementIds } = changeSet;
  const rows = await readRows(
    ctx,
    {
      recordId: column.text,
      changeId: column.text,
      changeTransactionId: column.text,
      changeSetId: column.text,
      revertedId: column.text,
      namedIds: column.nullable(column.json<string[]>),
      isMovement: column.boolean,
    },
    sql`
    with recursive reverts as (
      select ${id} as id, ${revertsChangeSetId} as reverted_id, ${revertsMovementIds} as movement_ids from ${changeSet}
      where ${ownedBy(ctx, changeSet)} and ${revertsChangeSetId} = any(${changeSetIds})
      union
      select ${id}, ${revertsChangeSetId}, ${revertsMovementIds} from reverts
      join ${changeSet} on ${ownedBy(ctx, changeSet)} and ${revertsChangeSetId} = reverts.id)
    select ${recordedChange.recordId} as "recordId", ${recordedChange.id} as "changeId",
      ${recordedChange.changeTransactionId} as "changeTransactionId", reverts.id as "changeSetId",
      coalesce(${revertRun.revertedTransactionId}, reverts.reverted_id) as "revertedId",
      case row_number() over (partition by reverts.id order by ${recordedChange.id}) when 1
        then to_json(reverts.movement_ids) end as "namedIds",
      ${recordedChange.isMovement} as "isMovement"
    from reverts cross join lateral (
      select * from ${recordedChange}
      where ${ownedBy(ctx, recordedChange)} and ${recordedChange.changeSetId} = reverts.id
        and ${recordedChange.recordType} = 'PRODUCT_STOCK_LOCATION'
        and ${recordedChange.recordId} between ${recordIds[0]}::uuid and ${recordIds.at(-1)}::uuid
        and ${isTrue(isHashed(sql`${recordedChange.recordId}`, idArray(recordIds)))} offset 0) as ${recordedChange}
    left join ${revertRun} on ${ownedBy(ctx, revertRun)} and ${revertRun.changeSetId} = reverts.id
    order by ${recordedChange.id}`,
  );
  const naming = rows.filter(({ namedIds }) => namedIds !== null);
  const named = new Map(naming.map(({ changeSetId, namedIds }) => [changeSetId, new Set(namedIds)]));
  return rows.map((row) => ({ ...row, movementIds: named.get(row.changeSetId) }));
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
