import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { bulkOperation } from '../../drizzle/bulk-operation.ts';
import { revertRun } from '../../drizzle/revert.ts';
import type { Context } from '../context.ts';
import { isLockTimeout } from '../db/across/merchant-context.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import { SliceSizes } from './slice-sizes.ts';

const WAIT_MS = 200;

/** A run that has not ended was left to the worker. */
type Finished = { isEnded: boolean; recordCount: number; errors: { path: string; message: string }[] };

/** Takes a run back to its end, or until `signal` is aborted, together with the worker if one is running. */
export async function finishRevert(
  ctx: Context,
  runId: string,
  onSlice: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<Finished> {
  const sizes = new SliceSizes();
  for (;;) {
    const isOwn = await sizes.revertNext(ctx, runId).catch((error: unknown) => {
      // Requests that hold locks of its records end within about a minute.
      if (isLockTimeout(error) && !signal.aborted) return false;
      throw error;
    });
    const [run] = await ctx.db
      .select({
        isEnded: revertRun.isEnded,
        conflicts: revertRun.conflicts,
        total: bulkOperation.total,
        done: bulkOperation.updated,
      })
      .from(revertRun)
      .innerJoin(bulkOperation, sql`${ownedBy(ctx, bulkOperation)} and ${bulkOperation.id} = ${revertRun.id}`)
      .where(sql`${ownedBy(ctx, revertRun)} and ${revertRun.id} = ${runId}`);
    const { isEnded, done, conflicts } = run!;
    if (isEnded || signal.aborted) return { isEnded, recordCount: done, errors: conflicts ?? [] };
    onSlice(done, run!.total);
    if (!isOwn) await wait(WAIT_MS);
  }
}
