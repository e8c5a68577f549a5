import { sql } from 'drizzle-orm';
import { bulkOperation } from '../../drizzle/bulk-operation.ts';
import { revertRun } from '../../drizzle/revert.ts';
import type { Context } from '../context.ts';
import { pipeline, pipelineStep } from '../db/connection/pipeline.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { newId } from '../db/sql/id.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import { changeOrigin } from '../db/write/change-origin.ts';
import { insert } from '../db/write/write.ts';
import type { RevertResult } from '../graphql/generated/types.ts';
import { lockOrigins, refuseBesideUnfinished } from './refuse-unfinished.ts';
import { removePendingImages } from './remove-pending-images.ts';
import type { WholeSet } from './reverted-changes.ts';

type StartedRevert = Omit<RevertResult, 'erasedCustomerIds'>;

/** The worker listens on it. */
export const REVERT_CHANNEL = 'revert_run';

/**
 * Records a revert for the worker. A run of the same changes that has not ended is returned instead, and so is the last
 * one if nothing is left to be changed. `check` throws if a new run is refused.
 */
export async function startRevertRun(
  ctx: Context,
  whole: WholeSet,
  recordCount: number,
  check: () => void,
): Promise<StartedRevert> {
  return await inTransaction(ctx, async (ctx) => {
    // Of two requests the second finds the run of the first.
    await lockOrigins(ctx, [whole.changeSetId]);
    const last = await lastRun(ctx, whole);
    if (last && !last.isEnded) return result(last);
    await refuseBesideUnfinished(ctx, [whole.changeSetId], whole.transactionId);
    check();
    await removePendingImages(ctx, whole);
    if (recordCount === 0) return last ? { ...result(last), recordCount } : { ...EMPTY };
    const origin = ctx.origin ?? changeOrigin({ merchantId: ctx.merchantId, operation: 'revertChanges' });
    const { changeSetId, operation, requestId, idempotencyKey, actor } = origin;
    const run = { id: newId(), changeSetId, total: recordCount };
    const authorizedAppId = ctx.session.authorizedAppId || null;
    const counts = { total: recordCount, created: 0, updated: 0, deleted: 0 };
    const operationRow = { id: run.id, ...counts, authorizedAppId, changeSetId };
    const runRow = {
      id: run.id,
      revertedChangeSetId: whole.changeSetId,
      revertedTransactionId: whole.transactionId,
      changeSetId,
      authorizedAppId,
      operation,
      requestId: requestId ?? null,
      idempotencyKey: idempotencyKey ?? null,
      actor: actor ?? null,
    };
    await pipeline(ctx, [
      ...insert(ctx, bulkOperation, [operationRow]),
      ...insert(ctx, revertRun, [runRow]),
      pipelineStep(sql`select pg_notify(${REVERT_CHANNEL}, '')`),
    ]);
    return result(run);
  });
}

const EMPTY = { changeSetId: null, recordCount: 0, bulkOperationId: null, records: [] };

type Run = { id: string; changeSetId: string; total: number };

function result({ id, changeSetId, total }: Run): StartedRevert {
  return { changeSetId, recordCount: total, bulkOperationId: id, records: [] };
}

async function lastRun(ctx: Context, whole: WholeSet): Promise<(Run & { isEnded: boolean }) | undefined> {
  const [run] = await readRows(
    ctx,
    { id: column.text, changeSetId: column.text, total: column.number, isEnded: column.boolean },
    sql`
    select ${revertRun.id} as "id", ${revertRun.changeSetId} as "changeSetId", ${bulkOperation.total} as "total",
      ${revertRun.isEnded} as "isEnded"
    from ${revertRun}
    join ${bulkOperation} on ${ownedBy(ctx, bulkOperation)} and ${bulkOperation.id} = ${revertRun.id}
    where ${ownedBy(ctx, revertRun)} and ${revertRun.revertedChangeSetId} = ${whole.changeSetId}::uuid
      and ${revertRun.revertedTransactionId} is not distinct from ${whole.transactionId}::uuid
    order by ${revertRun.id} desc limit 1`,
  );
  return run;
}
