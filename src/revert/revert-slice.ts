import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/app.ts';
import { bulkOperation } from '../../drizzle/bulk-operation.ts';
import { revertRun } from '../../drizzle/revert.ts';
import type { Context } from '../context.ts';
import { limitLockWaits } from '../db/across/merchant-context.ts';
import { readIds } from '../db/connection/read-rows.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import { changeOrigin } from '../db/write/change-origin.ts';
import { changedParts, MAX_RECORDS, type RecordPartChange, type Slice } from './changed-parts.ts';
import { fittingPart, fittingSlice } from './fitting-slice.ts';
import { FAILED_ALONE, leftRecord, maySucceedWithFewer, type Outcome, revertParts, sumOf } from './revert-parts.ts';
import { lockRules } from './revert-records.ts';
import { ofWholeSet, type RevertedType } from './reverted-changes.ts';
import { revertedTypes } from './stored-records.ts';

/** Listed of a run; all are counted. */
const MAX_LISTED = 1_000;

type Run = typeof revertRun.$inferSelect;

/**
 * Takes the next records of a run back, at most `maxRecords`, in one transaction with the run's position. A single record
 * for which the transaction fails stays: events and changes are written at the commit, where no savepoint isolates it.
 * Returns false if another process works on the run, or if it has ended.
 */
export async function revertSlice(ctx: Context, runId: string, maxRecords = MAX_RECORDS): Promise<boolean> {
  let tried = null as Slice | null;
  try {
    return await inStep(ctx, runId, async (ctx, run) => {
      tried = await sliceAfter(ctx, run, maxRecords);
      return tried ? await revertNext(ctx, run, tried) : await revertLeft(ctx, run, maxRecords);
    });
  } catch (error) {
    if (maxRecords > 1 || !tried || !maySucceedWithFewer(error)) throw error;
    return await leaveRecord(ctx, runId, tried, error);
  }
}

/** What one transaction of a run does. `retried`: the paths of listed records that are taken back once more. */
type Step = Outcome & { readonly retried: ReadonlySet<string>; readonly progress: Partial<Run> };

/** Null: nothing is to be done. */
type Work = (ctx: Context, run: Run) => Promise<Step | null>;

async function inStep(ctx: Context, runId: string, work: Work): Promise<boolean> {
  const own = sql`${ownedBy(ctx, revertRun)} and ${revertRun.id} = ${runId}`;
  const [known] = await ctx.db.select().from(revertRun).where(own);
  return await inTransaction({ ...ctx, origin: originOf(known!) }, async (ctx) => {
    const [run] = await ctx.db
      .select()
      .from(revertRun)
      .where(sql`${own} and not ${revertRun.isEnded}`)
      .for('update', { skipLocked: true });
    if (!run) return false;
    // An erasure has replaced the actor after it was read for the transaction's origin. The next call reads the new one.
    if (run.actor !== known!.actor) return true;
    if (await isRevoked(ctx, run)) {
      await recordStep(ctx, run, endOfRevoked());
      return true;
    }
    await limitLockWaits(ctx);
    const step = await work(ctx, run);
    if (step) await recordStep(ctx, run, step);
    return true;
  });
}

/** Ends a run. What it has taken back stays. */
function endOfRevoked(): Step {
  const left = [{ path: 'input', message: 'The app was revoked' }];
  return { count: 0, left, retried: new Set(), progress: { isEnded: true } };
}

/** The scopes of the app were checked when the run was accepted. A run that a command has started has no app. */
async function isRevoked(ctx: Context, { authorizedAppId }: Run): Promise<boolean> {
  if (authorizedAppId === null) return false;
  const active = sql`${authorizedApp.revokedAt} is null and not ${authorizedApp.deleted}`;
  const found = await readIds(
    ctx,
    sql`
    select ${authorizedApp.id} as "id" from ${authorizedApp}
    where ${ownedBy(ctx, authorizedApp)} and ${authorizedApp.id} = ${authorizedAppId} and ${active}`,
  );
  return found.length === 0;
}

async function revertNext(ctx: Context, run: Run, slice: Slice): Promise<Step> {
  await lockRules(ctx, new Set([slice.recordType]));
  return stepTo(slice, await revertParts(ctx, await partsOf(ctx, run, slice)));
}

function stepTo({ recordType, ids }: Slice, outcome: Outcome): Step {
  return { ...outcome, retried: new Set(), progress: { lastRecordType: recordType, lastRecordId: ids.at(-1)! } };
}

/** Continues behind a record that failed, unless another process has already done so. */
async function leaveRecord(ctx: Context, runId: string, failed: Slice, error: unknown): Promise<boolean> {
  const { recordType } = failed;
  const recordId = failed.ids[0]!;
  return await inStep(ctx, runId, async (ctx, run) => {
    const next = await sliceAfter(ctx, run, 1);
    const isNext = next?.recordType === recordType && next.ids[0] === recordId;
    return isNext ? stepTo(failed, leftRecord(ctx, { recordType, recordId }, error)) : null;
  });
}

/**
 * Ends a run. The listed records that a rule refused are taken back once more: what they need may have been in a later
 * slice, such as the parent of a category. Not those that failed alone, with which the transaction would fail again, and
 * none if that failed for each number of records.
 */
async function revertLeft(ctx: Context, run: Run, maxRecords: number): Promise<Step> {
  if (maxRecords === 1) return { count: 0, left: [], retried: new Set(), progress: { isEnded: true } };
  const refused = (run.conflicts ?? []).filter(({ message }) => !FAILED_ALONE.includes(message));
  const records = refused.map(({ path }) => path.split('.')).filter((path) => path.length === 2);
  const byType = Map.groupBy(records.slice(0, maxRecords), ([recordType]) => recordType as RevertedType);
  await lockRules(ctx, new Set(byType.keys()));
  const retried = new Set<string>();
  const outcomes: Outcome[] = [];
  for (const [recordType, own] of byType) {
    const slice = await fittingPart(ctx, wholeOf(run), { recordType, ids: own.map(([, id]) => id!) });
    const parts = await partsOf(ctx, run, slice);
    for (const { recordId } of parts) retried.add(`${recordType}.${recordId}`);
    outcomes.push(await revertParts(ctx, parts));
  }
  return { ...sumOf(outcomes), retried, progress: { isEnded: true } };
}

async function partsOf(ctx: Context, run: Run, slice: Slice): Promise<RecordPartChange[]> {
  return await changedParts(ctx, { ...wholeOf(run), path: [] }, [slice]);
}

async function recordStep(ctx: Context, run: Run, { count, left, retried, progress }: Step): Promise<void> {
  const others = (run.conflicts ?? []).filter(({ path }) => !retried.has(path));
  // The reason for an early end is listed in any case.
  const conflicts = (progress.isEnded ? [...left, ...others] : [...others, ...left]).slice(0, MAX_LISTED);
  await ctx.db
    .update(revertRun)
    .set({
      ...progress,
      conflictCount: run.conflictCount - retried.size + left.length,
      ...(left.length + retried.size > 0 && { conflicts: sql`${JSON.stringify(conflicts)}::json` }),
    })
    .where(sql`${ownedBy(ctx, revertRun)} and ${revertRun.id} = ${run.id}`);
  await ctx.db
    .update(bulkOperation)
    .set({ updated: sql`${bulkOperation.updated} + ${count}::integer`, updatedAt: sql`now()` })
    .where(sql`${ownedBy(ctx, bulkOperation)} and ${bulkOperation.id} = ${run.id}`);
}

function originOf({ merchantId, changeSetId, operation, revertedChangeSetId, ...run }: Run) {
  const { authorizedAppId, requestId, idempotencyKey, actor } = run;
  return changeOrigin({
    merchantId,
    changeSetId,
    operation,
    revertsChangeSetId: revertedChangeSetId,
    ...(authorizedAppId !== null && { authorizedAppId }),
    ...(requestId !== null && { requestId }),
    ...(idempotencyKey !== null && { idempotencyKey }),
    ...(actor !== null && { actor }),
  });
}

function wholeOf({ merchantId, revertedChangeSetId, revertedTransactionId }: Run) {
  return ofWholeSet({ merchantId }, { changeSetId: revertedChangeSetId, transactionId: revertedTransactionId });
}

async function sliceAfter(ctx: Context, run: Run, maxRecords: number): Promise<Slice | null> {
  const first = run.lastRecordType === null ? 0 : revertedTypes.indexOf(run.lastRecordType as RevertedType);
  for (const recordType of revertedTypes.slice(first)) {
    const afterId = recordType === run.lastRecordType ? run.lastRecordId : null;
    const slice = await fittingSlice(ctx, wholeOf(run), recordType, { afterId, maxRecords });
    if (slice.ids.length > 0) return slice;
  }
  return null;
}
