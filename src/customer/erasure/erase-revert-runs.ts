import { sql } from 'drizzle-orm';
import { revertRun } from '../../../drizzle/revert.ts';
import type { MerchantContext } from '../../context.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { ERASED, isNamed, withoutParts } from './contacts.ts';
import type { ErasedChanges } from './erase-changes.ts';

/**
 * Removes what the results of reverts say about the customers. The actor of a revert that concerns them may name them
 * among other words, any other one by one of the contacts alone. Returns the number of these bulk operations.
 */
export async function eraseRevertRuns(
  ctx: MerchantContext,
  customerIds: readonly string[],
  erasedChanges: ErasedChanges,
  apps: ReadonlySet<string>,
): Promise<number> {
  const { contacts, changeSetIds, truncatedSetIds } = erasedChanges;
  const ids = new Set(customerIds);
  const { id, conflicts, actor, authorizedAppId, changeSetId, revertedChangeSetId } = revertRun;
  const runs = await ctx.db
    .select({ id, conflicts, actor, authorizedAppId, changeSetId, revertedChangeSetId })
    .from(revertRun)
    .where(
      sql`${ownedBy(ctx, revertRun)} and (${conflicts}::text like '%CUSTOMER.%' or ${actor} is not null)
      order by ${id} for update`,
    );
  let erased = 0;
  for (const run of runs) {
    const listed = run.conflicts ?? [];
    const left = listed.map((entry) => (ids.has(recordOf(entry.path)) ? { ...entry, message: ERASED } : entry));
    const isListed = left.some((entry, index) => entry !== listed[index]);
    const setIds = [run.changeSetId, run.revertedChangeSetId];
    const isOfCustomers = isListed || setIds.some((set) => changeSetIds.has(set));
    const isNamedHere = isOfCustomers
      ? isNamed(contacts, run.actor) || (run.actor !== null && setIds.some((set) => truncatedSetIds.has(set)))
      : apps.has(run.authorizedAppId ?? '') && isNamed(withoutParts(contacts), run.actor);
    if (!isNamedHere && !isListed) continue;
    erased++;
    await ctx.db
      .update(revertRun)
      .set({
        ...(run.conflicts && { conflicts: sql`${JSON.stringify(left)}::json` }),
        ...(isNamedHere && { actor: ERASED }),
      })
      .where(sql`${ownedBy(ctx, revertRun)} and ${id} = ${run.id}`);
  }
  return erased;
}

/** Paths begin with the type and the id of a record: see revert-slice. */
function recordOf(path: string): string {
  return path.split('.')[1] ?? '';
}
