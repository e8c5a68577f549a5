import { sql } from 'drizzle-orm';
import { revertRun } from '../../drizzle/revert.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { conflict } from '../errors.ts';
import type { WholeSet } from './reverted-changes.ts';

/** Refuses to take back what a revert in the background is still changing: it would go on after that. */
export async function refuseUnfinished(ctx: Context, { changeSetId }: WholeSet): Promise<void> {
  const [run] = await readRows(
    ctx,
    { id: column.text },
    sql`
    select ${revertRun.id} as "id" from ${revertRun}
    where ${ownedBy(ctx, revertRun)} and not ${revertRun.isEnded} and ${revertRun.changeSetId} = ${changeSetId}::uuid`,
  );
  if (run) throw conflict(`The revert ${run.id} has not ended: wait until getBulkOperation shows it as COMPLETED.`);
}
