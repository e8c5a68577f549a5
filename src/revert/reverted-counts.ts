import { sql } from 'drizzle-orm';
import { change, changeSet } from '../../drizzle/change.ts';
import type { MerchantContext } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { idArray } from '../db/sql/parameter.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import type { RecordPartChange } from './reverted-changes.ts';

/** A change set that has taken back what another one did to a record. */
type Revert = { recordId: string; changeSetId: string; revertedSetId: string };

/**
 * Leaves out the stock counts of changes that were taken back already, and not put back since. Other members show it by
 * their value; of a count the difference is taken back, whatever the count is. Call it when the counts are locked.
 */
export async function withoutRevertedCounts(
  ctx: MerchantContext,
  parts: readonly RecordPartChange[],
): Promise<readonly RecordPartChange[]> {
  const ids = parts.filter(isOfCount).map(({ recordId }) => recordId);
  if (ids.length === 0) return parts;
  const reverts = Map.groupBy(await revertsOf(ctx, ids), ({ recordId }) => recordId);
  return parts.map((part) =>
    isOfCount(part) && !isInEffect(reverts.get(part.recordId) ?? [], part.changeSetId) ? withoutCount(part) : part,
  );
}

function isOfCount({ recordType }: RecordPartChange): boolean {
  return recordType === 'PRODUCT_STOCK_LOCATION';
}

async function revertsOf(ctx: MerchantContext, ids: readonly string[]): Promise<Revert[]> {
  return await readRows(
    ctx,
    { recordId: column.text, changeSetId: column.text, revertedSetId: column.text },
    sql`
    select distinct ${change.recordId} as "recordId", ${changeSet.id} as "changeSetId",
      ${changeSet.revertsChangeSetId} as "revertedSetId"
    from ${change} join ${changeSet} on ${ownedBy(ctx, changeSet)} and ${changeSet.id} = ${change.changeSetId}
    where ${ownedBy(ctx, change)} and ${change.recordId} = any(${idArray(ids)})
      and ${change.recordType} = 'PRODUCT_STOCK_LOCATION' and ${changeSet.revertsChangeSetId} is not null`,
  );
}

/** A revert that was itself taken back has no effect. */
function isInEffect(reverts: readonly Revert[], setId: string): boolean {
  return !reverts.some(({ revertedSetId, changeSetId }) => revertedSetId === setId && isInEffect(reverts, changeSetId));
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
