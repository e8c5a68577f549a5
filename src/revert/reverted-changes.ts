import { type SQL, sql } from 'drizzle-orm';
import { bulkOperation, bulkOperationImage } from '../../drizzle/bulk-operation.ts';
import type { ChangeRecordType } from '../../drizzle/change.ts';
import { changeRecordTypeEnum } from '../../drizzle/generated/enums.ts';
import { recordedChange } from '../../drizzle/recorded-change.ts';
import { checkArgumentScope } from '../argument-scope.ts';
import { writeScopeOf } from '../change/change-record-type.ts';
import { recordParts } from '../change/record-parts.ts';
import type { Context } from '../context.ts';
import { column, readIds, readRows } from '../db/connection/read-rows.ts';
import { isId } from '../db/sql/id.ts';
import { idArray, ownedBy, type Tenant } from '../db/sql/parameter.ts';
import { type InputPath, invalidAt, notFound, refuseUnknown } from '../errors.ts';
import type { RevertChangesInput } from './generated/revert-input.ts';
import { refuseUnfinished } from './refuse-unfinished.ts';

export type RevertedType = keyof typeof recordParts;

/** The changes of a change set, or of one transaction in it. */
export type WholeSet = { readonly changeSetId: string; readonly transactionId: string | null };

/** Changes to be taken back. `path` is their place in the arguments, for errors. */
export type RevertedChanges = {
  readonly path: InputPath;
  readonly condition: SQL;
  /** Null for single changes. */
  readonly whole: WholeSet | null;
};

/** What is known of the changes before they are read. */
export type Summary = {
  readonly types: ReadonlySet<RevertedType>;
  readonly recordCount: number;
  /** Those that the changes belong to. */
  readonly changeSetIds: readonly string[];
};

export const NO_CHANGES = 'has no changes that are kept';

/**
 * Refuses changes that cannot be taken back by the token, or at all. A whole set may be empty: a bulk operation that adds
 * addresses of pictures changes nothing until they are fetched.
 */
export async function checkedSummary(ctx: Context, { path, condition, whole }: RevertedChanges): Promise<Summary> {
  const found = await readRows(
    ctx,
    {
      recordType: column.oneOf(changeRecordTypeEnum),
      records: column.number,
      setIds: column.json<string[]>,
      truncated: column.nullable(column.text),
    },
    sql`
    select ${recordedChange.recordType} as "recordType", count(distinct ${recordedChange.recordId})::int as "records",
      json_agg(distinct ${recordedChange.changeSetId}) as "setIds",
      min(${recordedChange.recordId}::text) filter (where ${recordedChange.truncated}) as "truncated"
    from ${recordedChange} where ${ownedBy(ctx, recordedChange)} and ${condition} group by ${recordedChange.recordType}`,
  );
  checkWritable(ctx, new Set(found.map(({ recordType }) => recordType)));
  const refuse = (message: string): never => {
    throw invalidAt(path, message);
  };
  if (whole) await refuseUnfinished(ctx, whole);
  if (found.length === 0 && !whole) refuse(NO_CHANGES);
  const fixed = found.find(({ recordType }) => !(recordType in recordParts));
  if (fixed) refuse(`must not have changes of ${fixed.recordType}: they cannot be taken back`);
  const truncated = found.find((type) => type.truncated !== null);
  if (truncated) refuse(`must not have a change of ${truncated.truncated} whose values are not kept`);
  return {
    types: new Set(found.map(({ recordType }) => recordType as RevertedType)),
    recordCount: found.reduce((sum, { records }) => sum + records, 0),
    changeSetIds: [...new Set(found.flatMap(({ setIds }) => setIds))],
  };
}

export function ofWholeSet(ctx: Tenant, whole: WholeSet): Pick<RevertedChanges, 'condition' | 'whole'> {
  const ofSet = sql`${recordedChange.changeSetId} = ${whole.changeSetId}::uuid`;
  if (whole.transactionId === null) return { whole, condition: ofSet };
  // The pictures of a bulk operation are attached in transactions of their own.
  const pictures = sql`
    select ${bulkOperationImage.changeTransactionId} from ${bulkOperationImage}
    join ${bulkOperation} on ${ownedBy(ctx, bulkOperation)} and ${bulkOperation.id} = ${bulkOperationImage.bulkOperationId}
    where ${ownedBy(ctx, bulkOperationImage)} and ${bulkOperation.changeTransactionId} = ${whole.transactionId}::uuid
      and ${bulkOperation.changeSetId} = ${whole.changeSetId}::uuid`;
  const ofOperation = sql`${recordedChange.changeTransactionId} = ${whole.transactionId}::uuid
    or ${recordedChange.changeTransactionId} in (${pictures})`;
  return { whole, condition: sql`${ofSet} and (${ofOperation})` };
}

/** Finds what the input names. */
export async function findChanges(ctx: Context, input: RevertChangesInput): Promise<RevertedChanges> {
  const given = Object.entries(input).filter(([, value]) => value != null);
  if (given.length !== 1)
    throw invalidAt(['input'], 'must have exactly one of changeIds, changeSetId and bulkOperationId');
  const { changeIds, changeSetId, bulkOperationId } = input;
  const path = ['input', given[0]![0]];
  if (changeIds != null) return { path, whole: null, condition: await ofChanges(ctx, changeIds, path) };
  if (changeSetId != null) return { path, ...(await ofChangeSet(ctx, changeSetId, path)) };
  return { path, ...(await ofBulkOperation(ctx, bulkOperationId!, path)) };
}

async function ofChanges(ctx: Context, sent: readonly string[], path: InputPath): Promise<SQL> {
  const ids = [...new Set(sent)];
  if (ids.length === 0) throw invalidAt(path, 'must not be empty');
  const condition = sql`${recordedChange.id} = any(${idArray(ids.filter(isId))})`;
  const found = await readIds(
    ctx,
    sql`select ${recordedChange.id} as "id" from ${recordedChange} where ${ownedBy(ctx, recordedChange)} and ${condition}`,
  );
  refuseUnknown('Change', ids, found, path);
  return condition;
}

type OfWholeSet = ReturnType<typeof ofWholeSet>;

/** A bulk operation and a revert in the background have their change set before the first change. */
async function ofChangeSet(ctx: Context, id: string, path: InputPath): Promise<OfWholeSet> {
  const ids = idArray([id].filter(isId));
  const [found] = await readIds(
    ctx,
    sql`
    (select ${recordedChange.id} as "id" from ${recordedChange}
    where ${ownedBy(ctx, recordedChange)} and ${recordedChange.changeSetId} = any(${ids}) limit 1)
    union all
    (select ${bulkOperation.id} from ${bulkOperation}
    where ${ownedBy(ctx, bulkOperation)} and ${bulkOperation.changeSetId} = any(${ids}) limit 1)`,
  );
  if (!found) throw notFound('ChangeSet', [id], path);
  return ofWholeSet(ctx, { changeSetId: id, transactionId: null });
}

async function ofBulkOperation(ctx: Context, id: string, path: InputPath): Promise<OfWholeSet> {
  const [found] = await readRows(
    ctx,
    { transactionId: column.nullable(column.text), changeSetId: column.nullable(column.text) },
    sql`
    select ${bulkOperation.changeTransactionId} as "transactionId", ${bulkOperation.changeSetId} as "changeSetId"
    from ${bulkOperation} where ${ownedBy(ctx, bulkOperation)} and ${bulkOperation.id} = any(${idArray([id].filter(isId))})`,
  );
  if (!found) throw notFound('BulkOperation', [id], path);
  const { transactionId, changeSetId } = found;
  if (changeSetId === null) throw invalidAt(path, NO_CHANGES);
  return ofWholeSet(ctx, { changeSetId, transactionId });
}

export function checkWritable(ctx: Context, types: ReadonlySet<ChangeRecordType>): void {
  for (const recordType of types) checkArgumentScope(ctx, writeScopeOf(recordType));
}
