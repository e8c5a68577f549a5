import { sql } from 'drizzle-orm';
import { erasure } from '../../../drizzle/erasure.ts';
import type { Context } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import { type InputPath, notFound } from '../../errors.ts';
import type { RecordState } from './take-back.ts';

type Changed = { readonly recordType: string; readonly recordId: string };
type WithoutErased<Part> = { readonly parts: readonly Part[]; readonly erasedIds: readonly string[] };

/**
 * Leaves out the changes of erased customers. An erasure that is committed after this is found when the customers are
 * locked, and then the revert is refused.
 */
export async function withoutErased<Part extends Changed>(
  ctx: Context,
  parts: readonly Part[],
): Promise<WithoutErased<Part>> {
  const ofCustomers = parts.filter(({ recordType }) => recordType === 'CUSTOMER');
  if (ofCustomers.length === 0) return { parts, erasedIds: [] };
  const ids = [...new Set(ofCustomers.map(({ recordId }) => recordId))];
  const erasedIds = await withReceipt(ctx, ids);
  const erased = new Set(erasedIds);
  return { parts: parts.filter(({ recordId }) => !erased.has(recordId)), erasedIds };
}

/** Refuses customers that were erased, whose row may have been removed by plain SQL since. */
export async function refuseErased(ctx: Context, records: readonly RecordState[], path: InputPath): Promise<void> {
  const rows = records.flatMap((record) => [...record.rows.values()].flatMap((of) => [...of.values()]));
  const known = new Set(rows.map(({ stored }) => String(stored!['id'])));
  const removed = records.map(({ recordId }) => recordId).filter((id) => !known.has(id));
  const erased = [
    ...rows.filter(({ stored }) => stored!['erasureId']).map(({ stored }) => String(stored!['id'])),
    ...(removed.length > 0 ? await withReceipt(ctx, removed) : []),
  ];
  if (erased.length > 0) throw notFound('Customer', erased, path);
  // After NOT_FOUND, which has no values of customers: it is stored for the key, and a repeat gets it again.
  for (const { recordId } of records) ctx.customerIds?.add(recordId);
}

/** Those of the customers that were erased. */
async function withReceipt(ctx: Context, ids: readonly string[]): Promise<string[]> {
  const rows = await readRows(
    ctx,
    { customerIds: column.json<string[]> },
    sql`
    select to_json(${erasure.customerIds}) as "customerIds" from ${erasure}
    where ${ownedBy(ctx, erasure)} and ${erasure.customerIds} && ${idArray(ids)}`,
  );
  const erased = new Set(rows.flatMap(({ customerIds }) => customerIds));
  return ids.filter((id) => erased.has(id));
}
