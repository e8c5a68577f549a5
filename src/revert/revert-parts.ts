import type { Context } from '../context.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { isConnectionLost } from '../db/errors/connection-lost.ts';
import { isTimeout, sqlState } from '../db/errors/database-error.ts';
import { CommerceError } from '../errors.ts';
import type { RecordPartChange } from './changed-parts.ts';
import { planRevert, writePlan } from './revert-records.ts';
import { revertedRecords } from './record/reverted-records.ts';

/** Of 1,000 records with one that is refused, 32 groups and 32 records are taken back, in place of 1,000 records. */
const GROUP_SIZE = 32;
/** SQLSTATE classes of values that the database refuses: data exceptions, violated constraints, and too large values. */
const REFUSED_VALUE = /^(22|23|54)/;

/** A record or member that stays as it is, and why. */
export type Left = { path: string; message: string };

/** `count`: records that were taken back. */
export type Outcome = { count: number; left: readonly Left[] };

/**
 * If a rule refuses one of the records, or it fails by itself, they are taken back in groups, and then each by itself.
 * Those that are refused or fail stay.
 */
export async function revertParts(ctx: Context, parts: readonly RecordPartChange[]): Promise<Outcome> {
  try {
    return await inTransaction(ctx, async (ctx) => await revertUnchanged(ctx, parts));
  } catch (error) {
    if (!isOfRecords(error)) throw error;
    const groups = grouped(parts);
    if (groups.length > 1) {
      const outcomes: Outcome[] = [];
      for (const group of groups) outcomes.push(await revertParts(ctx, group));
      return sumOf(outcomes);
    }
    return leftRecord(ctx, parts[0]!, error);
  }
}

export function sumOf(outcomes: readonly Outcome[]): Outcome {
  const count = outcomes.reduce((sum, outcome) => sum + outcome.count, 0);
  return { count, left: outcomes.flatMap(({ left }) => left) };
}

/** Whether the cause is one of the records, such as what plain SQL stored, so that a repetition would fail too. */
function isOfRecords(error: unknown): boolean {
  if (isTimeout(error)) return false;
  const state = sqlState(error);
  return state === undefined ? !isConnectionLost(error) : REFUSED_VALUE.test(state);
}

/** Whether a transaction that takes fewer records back may succeed. */
export function maySucceedWithFewer(error: unknown): boolean {
  return isTimeout(error) || isOfRecords(error);
}

type Failed = Pick<RecordPartChange, 'recordType' | 'recordId'>;

const TIMED_OUT = 'takes too long';
const FAILED = 'Unexpected error';
/** The messages of records that no rule refused, and that could not be taken back even alone. */
export const FAILED_ALONE: readonly string[] = [TIMED_OUT, FAILED];

/** The outcome for a record that cannot be taken back even alone. */
export function leftRecord(ctx: Context, failed: Failed, error: unknown): Outcome {
  const path = `${failed.recordType}.${failed.recordId}`;
  return { count: 0, left: [{ path, message: messageOf(ctx, failed, error) }] };
}

/** Unexpected errors are masked, as in answers of requests, and logged. */
function messageOf({ log, merchantId }: Context, { recordType, recordId }: Failed, error: unknown): string {
  if (isTimeout(error)) return TIMED_OUT;
  if (error instanceof CommerceError) return error.message;
  log.error({ err: error, merchantId, recordType, recordId }, 'a record could not be taken back');
  return FAILED;
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
