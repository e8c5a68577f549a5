import { sql } from 'drizzle-orm';
import { revertRun } from '../../../drizzle/revert.ts';
import type { MerchantContext } from '../../context.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { type Contacts, ERASED, isNamed } from './contacts.ts';

/** Removes what the results of reverts say about the customers. Returns the number of these bulk operations. */
export async function eraseRevertRuns(
  ctx: MerchantContext,
  customerIds: readonly string[],
  contacts: Contacts,
): Promise<number> {
  const ids = new Set(customerIds);
  const { id, conflicts, actor } = revertRun;
  const runs = await ctx.db
    .select({ id, conflicts, actor })
    .from(revertRun)
    .where(
      sql`${ownedBy(ctx, revertRun)} and (${conflicts}::text like '%CUSTOMER.%' or ${actor} is not null)
      order by ${id} for update`,
    );
  let erased = 0;
  for (const run of runs) {
    const listed = run.conflicts ?? [];
    const left = listed.map((entry) => (ids.has(recordOf(entry.path)) ? { ...entry, message: ERASED } : entry));
    const isNamedHere = isNamed(contacts, run.actor);
    if (!isNamedHere && left.every((entry, index) => entry === listed[index])) continue;
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
