import { sql } from 'drizzle-orm';
import { changeSet } from '../../drizzle/change.ts';
import { revertRun } from '../../drizzle/revert.ts';
import type { Context } from '../context.ts';
import { readIds } from '../db/connection/read-rows.ts';
import { idArray, ownedBy } from '../db/sql/parameter.ts';
import { conflict } from '../errors.ts';
import type { WholeSet } from './reverted-changes.ts';

/** Refuses to take back what a revert in the background is still changing: it would go on after that. */
export async function refuseUnfinished(ctx: Context, { changeSetId }: WholeSet): Promise<void> {
  const [runId] = await readIds(
    ctx,
    sql`
    select ${revertRun.id} as "id" from ${revertRun}
    where ${ownedBy(ctx, revertRun)} and not ${revertRun.isEnded} and ${revertRun.changeSetId} = ${changeSetId}::uuid`,
  );
  if (runId) throw unfinished(runId);
}

/**
 * Locks change sets and those that they revert, until the end of the transaction: of two reverts of the same changes,
 * or of a revert and one that takes it back, the second waits until the first has ended or is recorded as a run.
 */
export async function lockOrigins(ctx: Context, changeSetIds: readonly string[]): Promise<void> {
  const { id, revertsChangeSetId } = changeSet;
  // Later change sets have greater ids, so all reverts lock the first one first.
  await ctx.db.execute(sql`
    with recursive origins(set_id) as (
      select named.set_id from unnest(${idArray(changeSetIds)}) as named(set_id)
      union
      select ${revertsChangeSetId} from origins
      join ${changeSet} on ${ownedBy(ctx, changeSet)} and ${id} = origins.set_id and ${revertsChangeSetId} is not null)
    select from ${changeSet} where ${ownedBy(ctx, changeSet)} and ${id} in (select set_id from origins)
    order by ${id} for no key update`);
}

/**
 * Refuses a revert while one in the background takes back the same change sets, what reverted them, or what these
 * reverts reverted: both would change the records in turn, some first by the one and some first by the other. Two
 * bulk operations of one change set have no changes in common. The caller holds the locks of `lockOrigins`.
 */
export async function refuseBesideUnfinished(
  ctx: Context,
  changeSetIds: readonly string[],
  transactionId: string | null,
): Promise<void> {
  const { id, revertsChangeSetId } = changeSet;
  const isOtherOperation = sql`${revertRun.revertedChangeSetId} = any(${idArray(changeSetIds)})
    and ${revertRun.revertedTransactionId} <> ${transactionId}::uuid`;
  const [runId] = await readIds(
    ctx,
    sql`
    with recursive origins(run_id, set_id) as (
      select null::uuid, named.set_id from unnest(${idArray(changeSetIds)}) as named(set_id)
      union
      select ${revertRun.id}, own.set_id from ${revertRun}
      cross join lateral (values (${revertRun.changeSetId}), (${revertRun.revertedChangeSetId})) as own(set_id)
      where ${ownedBy(ctx, revertRun)} and not ${revertRun.isEnded} and (${isOtherOperation}) is not true
      union
      select origins.run_id, ${revertsChangeSetId} from origins
      join ${changeSet} on ${ownedBy(ctx, changeSet)} and ${id} = origins.set_id and ${revertsChangeSetId} is not null)
    select running.run_id as "id" from origins as running join origins as named on named.set_id = running.set_id
    where running.run_id is not null and named.run_id is null limit 1`,
  );
  if (runId) throw unfinished(runId);
}

function unfinished(runId: string): Error {
  return conflict(`The revert ${runId} has not ended: wait until getBulkOperation shows it as COMPLETED.`);
}
