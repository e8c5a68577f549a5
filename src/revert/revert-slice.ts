import { sql } from 'drizzle-orm';
import { bulkOperation } from '../../drizzle/bulk-operation.ts';
import { revertRun } from '../../drizzle/revert.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { isConnectionLost } from '../db/errors/connection-lost.ts';
import { sqlState } from '../db/errors/sql-state.ts';
import { isTimeout } from '../db/errors/statement-ended.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { changeOrigin } from '../db/write/change-origin.ts';
import { CommerceError } from '../errors.ts';
import { fittingSlice } from './fitting-slice.ts';
import { lockRules, planRevert, writePlan } from './revert-records.ts';
import { changedParts, MAX_RECORDS, type RecordPartChange, type Slice } from './changed-parts.ts';
import { ofWholeSet, type RevertedType } from './reverted-changes.ts';
import { revertedRecords } from './record/reverted-records.ts';
import { revertedTypes } from './stored-records.ts';

/** Listed of a run; all are counted. */
const MAX_LISTED = 1_000;
/** Of 1,000 records with one that is refused, 32 groups and 32 records are taken back, in place of 1,000 records. */
const GROUP_SIZE = 32;
/** SQLSTATE classes of values that the database refuses: data exceptions and violated constraints. */
const REFUSED_VALUE = /^2[23]/;

type Run = typeof revertRun.$inferSelect;
/** A record or member that stays as it is, and why. */
type Left = { path: string; message: string };

/**
 * Takes the next records of a run back, at most `maxRecords`, in one transaction with the run's position. Returns false
 * if another process works on the run, or if it has ended.
 */
export async function revertSlice(ctx: Context, runId: string, maxRecords = MAX_RECORDS): Promise<boolean> {
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
    const slice = await sliceAfter(ctx, run, maxRecords);
    if (!slice) {
      await ctx.db.update(revertRun).set({ isEnded: true }).where(own);
      return true;
    }
    await lockRules(ctx, new Set([slice.recordType]));
    const parts = await changedParts(ctx, { ...wholeOf(run), path: [] }, [slice]);
    const { count, left } = await revertParts(ctx, parts);
    const conflicts = [...(run.conflicts ?? []), ...left].slice(0, MAX_LISTED);
    await ctx.db
      .update(revertRun)
      .set({
        lastRecordType: slice.recordType,
        lastRecordId: slice.ids.at(-1)!,
        conflictCount: run.conflictCount + left.length,
        ...(left.length > 0 && { conflicts: sql`${JSON.stringify(conflicts)}::json` }),
      })
      .where(own);
    await ctx.db
      .update(bulkOperation)
      .set({ updated: sql`${bulkOperation.updated} + ${count}::integer`, updatedAt: sql`now()` })
      .where(sql`${ownedBy(ctx, bulkOperation)} and ${bulkOperation.id} = ${runId}`);
    return true;
  });
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

type Outcome = { count: number; left: readonly Left[] };

/**
 * If a rule refuses one of the records, or it fails by itself, they are taken back in groups, and then each by itself.
 * Those that are refused or fail stay.
 */
async function revertParts(ctx: Context, parts: readonly RecordPartChange[]): Promise<Outcome> {
  try {
    return await inTransaction(ctx, async (ctx) => await revertUnchanged(ctx, parts));
  } catch (error) {
    if (!isOfRecords(error)) throw error;
    const groups = grouped(parts);
    if (groups.length > 1) {
      const outcomes: Outcome[] = [];
      for (const group of groups) outcomes.push(await revertParts(ctx, group));
      const count = outcomes.reduce((sum, outcome) => sum + outcome.count, 0);
      return { count, left: outcomes.flatMap(({ left }) => left) };
    }
    const [{ recordType, recordId }] = parts as [RecordPartChange];
    return { count: 0, left: [{ path: `${recordType}.${recordId}`, message: publicMessage(ctx, error) }] };
  }
}

/** Whether the cause is one of the records, such as what plain SQL stored, so that a repetition would fail too. */
function isOfRecords(error: unknown): boolean {
  if (isTimeout(error)) return false;
  const state = sqlState(error);
  return state === undefined ? !isConnectionLost(error) : REFUSED_VALUE.test(state);
}

/** Unexpected errors are masked, as in answers of requests, and logged. */
function publicMessage({ log, merchantId }: Context, error: unknown): string {
  if (error instanceof CommerceError) return error.message;
  log.error({ err: error, merchantId }, 'a record could not be taken back');
  return 'Unexpected error';
}

function grouped(parts: readonly RecordPartChange[]): RecordPartChange[][] {
  const ids = [...new Set(parts.map(({ recordId }) => recordId))];
  const size = ids.length > GROUP_SIZE ? GROUP_SIZE : 1;
  const groupOf = new Map(ids.map((id, place) => [id, Math.floor(place / size)]));
  return [...Map.groupBy(parts, ({ recordId }) => groupOf.get(recordId)).values()];
}

/** Records with a member that has changed since are left as they are. */
async function revertUnchanged(ctx: Context, parts: readonly RecordPartChange[]): Promise<Outcome> {
  const { records, conflicts } = await planRevert(ctx, parts, { areLocked: true, path: [] });
  const changed = new Set(conflicts.map(({ recordId }) => recordId));
  const taken = records.filter(({ recordId }) => !changed.has(recordId));
  const count = (await revertedRecords(ctx, taken)).length;
  await writePlan(ctx, taken);
  const left = conflicts.map(({ recordType, recordId, path }) => ({
    path: `${recordType}.${recordId}.${path}`,
    message: 'has changed since',
  }));
  return { count, left };
}
