import { sql } from 'drizzle-orm';
import { changeTransaction } from '../../drizzle/change.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { idArray, ownedBy } from '../db/sql/parameter.ts';
import { conflict, invalidAt, notFound } from '../errors.ts';
import { parseInput } from '../field-input.ts';
import type { MutationRevertChangesArgs, RevertResult } from '../graphql/generated/types.ts';
import { changedParts, MAX_RECORDS, nextSlice, type Slice } from './changed-parts.ts';
import { withoutErased } from './record/erased-customers.ts';
import { fittingSlice } from './fitting-slice.ts';
import { revertChangesInput } from './generated/revert-input.ts';
import { ListedConflicts, refuseConflicts } from './listed-conflicts.ts';
import { hasMovement, revertedRecords } from './record/reverted-records.ts';
import { lockOrigins, refuseBesideUnfinished } from './refuse-unfinished.ts';
import { lockPendingRecords, removePendingImages } from './remove-pending-images.ts';
import { lockRules, planRevert, writePlan } from './revert-records.ts';
import { checkedSummary, type Summary } from './revert-summary.ts';
import { findChanges, NO_CHANGES, type RevertedChanges, type SliceRange } from './reverted-changes.ts';
import type { OpenParts } from './reverted-counts.ts';
import { startRevertRun } from './start-revert-run.ts';
import { revertedTypes } from './stored-records.ts';

/** Compared in a request. So many products took 48 s at load 15, and a proxy or client waits for a minute or so. */
const MAX_COMPARED = 100_000;
const FIRST = { afterId: null, maxRecords: MAX_RECORDS };

/** Changes of more than `maxRecords` records are refused. */
export async function revertChanges(
  ctx: Context,
  args: MutationRevertChangesArgs,
  maxRecords = MAX_COMPARED,
): Promise<RevertResult> {
  const input = parseInput(revertChangesInput, args.input);
  refuseOtherMutations(ctx);
  const changes = await findChanges(ctx, input);
  const summary = await checkedSummary(ctx, changes, Math.min(maxRecords, MAX_COMPARED));
  if (summary.recordCount > maxRecords)
    throw invalidAt(
      changes.path,
      `has changes of more than ${maxRecords} records: the command "commerce revert" takes them back`,
    );
  if (summary.recordCount > MAX_RECORDS) return await revertInSlices(ctx, changes, summary);
  return await inTransaction(ctx, async (ctx) => await revertAtOnce(ctx, changes, summary));
}

/** The change set of a revert names one change set, and belongs to the whole request. */
function refuseOtherMutations({ mutationCount = 1 }: Context): void {
  if (mutationCount > 1) throw invalidAt(['input'], 'must be in a request without other mutations');
}

async function revertAtOnce(ctx: Context, changes: RevertedChanges, known: Summary): Promise<RevertResult> {
  const { path, whole } = changes;
  await lockOrigins(ctx, known.changeSetIds);
  await lockRules(ctx, known.types);
  await refuseBesideUnfinished(ctx, known.changeSetIds, whole?.transactionId ?? null);
  if (whole) await lockPendingRecords(ctx, whole);
  const isRemoved = whole !== null && (await removePendingImages(ctx, whole));
  // The worker may have attached pictures before they were removed. It attaches none now.
  const summary = whole ? await checkedSummary(ctx, changes, MAX_RECORDS) : known;
  if (summary.recordCount === 0) {
    if (!isRemoved) throw invalidAt(path, NO_CHANGES);
    return { changeSetId: null, recordCount: 0, bulkOperationId: null, records: [], erasedCustomerIds: [] };
  }
  if (summary.recordCount > MAX_RECORDS) throw conflict('Pictures were attached meanwhile. Send the request again.');
  const slices: Slice[] = [];
  for (const recordType of summary.types) slices.push(await nextSlice(ctx, changes, recordType, FIRST));
  const all = await changedParts(ctx, changes, slices);
  const { parts, erasedIds } = whole ? await withoutErased(ctx, all) : { parts: all, erasedIds: [] };
  if (parts.length === 0 && erasedIds.length > 0) throw notFound('Customer', [...erasedIds], path);
  const { records, conflicts, open } = await planRevert(ctx, parts, { areLocked: true, path });
  const listed = new ListedConflicts();
  listed.add(conflicts);
  refuseConflicts(listed);
  const reverted = await revertedRecords(ctx, records);
  // Before the records are written: the change set of a stock movement is stored together with the movement.
  const isKept = reverted.length > 0 && (await nameReverted(ctx, changes, summary, open));
  const changeSetId = isKept || reverted.some(hasMovement) ? (ctx.origin?.changeSetId ?? null) : null;
  await writePlan(ctx, records);
  const result = {
    changeSetId,
    recordCount: reverted.length,
    bulkOperationId: null,
    records: reverted,
    erasedCustomerIds: [...erasedIds],
  };
  ctx.beforeCommit?.(result);
  return result;
}

/** Stores what is taken back with the transaction. Returns whether changes of the merchant's records are recorded. */
async function nameReverted(
  ctx: Context,
  { whole }: RevertedChanges,
  { changeSetIds }: Summary,
  { movementIds }: OpenParts,
): Promise<boolean> {
  if (ctx.changeTransactionId === undefined) return false;
  const { id, isKept, revertsChangeSetId, revertsMovementIds } = changeTransaction;
  const changeSetId = changeSetIds.length === 1 ? changeSetIds[0]! : null;
  const isAll = changeSetId !== null && (movementIds.length === 0 || whole?.transactionId === null);
  const [transaction] = await readRows(
    ctx,
    { isKept: column.boolean },
    sql`
    update ${changeTransaction} set ${sql.identifier(revertsChangeSetId.name)} = ${changeSetId}::uuid,
      ${sql.identifier(revertsMovementIds.name)} = ${isAll ? null : idArray(movementIds)}
    where ${ownedBy(ctx, changeTransaction)} and ${id} = ${ctx.changeTransactionId}
    returning ${isKept} as "isKept"`,
  );
  return transaction!.isKept;
}

/** Looks for conflicts in all records, and leaves the rest to the worker. */
async function revertInSlices(ctx: Context, changes: RevertedChanges, summary: Summary): Promise<RevertResult> {
  const conflicts = new ListedConflicts();
  const erased: string[] = [];
  let recordCount = 0;
  for (const recordType of revertedTypes.filter((type) => summary.types.has(type)))
    for (let range: SliceRange = FIRST; ;) {
      const slice = await fittingSlice(ctx, changes, recordType, range);
      if (slice.ids.length === 0) break;
      const { parts, erasedIds } = await withoutErased(ctx, await changedParts(ctx, changes, [slice]));
      erased.push(...erasedIds);
      const plan = await planRevert(ctx, parts, { areLocked: false, path: changes.path });
      conflicts.add(plan.conflicts);
      recordCount += (await revertedRecords(ctx, plan.records)).length;
      range = { ...range, afterId: slice.ids.at(-1)! };
    }
  const started = await startRevertRun(ctx, changes.whole!, recordCount, () => refuseConflicts(conflicts));
  return { ...started, erasedCustomerIds: erased.slice(0, MAX_RECORDS) };
}
