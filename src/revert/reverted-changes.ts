import { type SQL, sql } from 'drizzle-orm';
import { bulkOperation, bulkOperationImage } from '../../drizzle/bulk-operation.ts';
import { change, type ChangeRecordType } from '../../drizzle/change.ts';
import { recordedChange } from '../../drizzle/recorded-change.ts';
import { stockMovement } from '../../drizzle/stock-movement.ts';
import type { recordParts } from '../change/record-parts.ts';
import type { Context, MerchantContext } from '../context.ts';
import { column, readIds, readRows } from '../db/connection/read-rows.ts';
import { isId } from '../db/sql/id.ts';
import { idArray, ownedBy, type Tenant } from '../db/sql/parameter.ts';
import { type InputPath, invalidAt, notFound, refuseUnknown } from '../errors.ts';
import type { RevertChangesInput } from './generated/revert-input.ts';

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

export const NO_CHANGES = 'has no changes that are kept';

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

/** Which records of one type are the next ones. */
export type SliceRange = { readonly afterId: string | null; readonly maxRecords: number };

/**
 * Selects the ids of the next records in their order. Not from the view: of each of its tables an index has the records of
 * a change set in this order, but the view is sorted, and a change set may have millions of movements.
 */
export function nextIds(
  ctx: MerchantContext,
  { condition }: Pick<RevertedChanges, 'condition'>,
  recordType: ChangeRecordType,
  { afterId, maxRecords }: SliceRange,
): SQL {
  const { recordId } = recordedChange;
  const after = afterId === null ? sql`` : sql` and ${recordId} > ${afterId}::uuid`;
  const next = (from: SQL, of: SQL): SQL => sql`(
    select distinct ${recordId} as "id" from ${from} where ${of} and ${condition}${after}
    order by 1 limit ${maxRecords}::integer)`;
  const changed = next(
    sql`${change} as ${recordedChange}`,
    sql`${ownedBy(ctx, recordedChange)} and ${recordedChange.recordType} = ${recordType}`,
  );
  if (recordType !== 'PRODUCT_STOCK_LOCATION') return changed;
  const { productStockLocationId, changeNumber, id, changeTransactionId, changeSetId } = stockMovement;
  const movements = sql`(
    select ${id}, ${changeTransactionId}, ${changeSetId}, ${productStockLocationId} as record_id from ${stockMovement}
    where ${ownedBy(ctx, stockMovement)} and ${changeNumber} is not null) as ${recordedChange}`;
  return sql`
    select distinct own.id as "id" from (${changed} union all ${next(movements, sql`true`)}) as own
    order by 1 limit ${maxRecords}::integer`;
}
