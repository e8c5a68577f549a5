import { type SQL, sql } from 'drizzle-orm';
import { recordedChange } from '../../drizzle/recorded-change.ts';
import { partsOfChange } from '../change/part-of-change.ts';
import type { MerchantContext } from '../context.ts';
import { column, readIds, readRows } from '../db/connection/read-rows.ts';
import { idArray, ownedBy } from '../db/sql/parameter.ts';
import { invalidAt } from '../errors.ts';
import { exactCount } from './record/exact-count.ts';
import type { ChangedPart } from './record/take-back.ts';
import { nextIds, type RevertedChanges, type RevertedType, type SliceRange } from './reverted-changes.ts';

/** Records that one transaction takes back. */
export const MAX_RECORDS = 1_000;
/** More would need too much memory. */
export const MAX_PART_BYTES = 64 * 1024 * 1024;

/** Records of one type, in the order of their ids. */
export type Slice = { readonly recordType: RevertedType; readonly ids: readonly string[] };

/** The changes whose records are divided into slices. */
export type SliceOf = Pick<RevertedChanges, 'condition' | 'whole'>;

/** The next records after `afterId`, at most `maxRecords`; none if there are no more. */
export async function nextSlice(
  ctx: MerchantContext,
  changes: SliceOf,
  recordType: RevertedType,
  range: SliceRange,
): Promise<Slice> {
  return { recordType, ids: await readIds(ctx, nextIds(ctx, changes, recordType, range)) };
}

/** A part of a change of one record. */
export type RecordPartChange = ChangedPart & {
  readonly recordType: RevertedType;
  readonly recordId: string;
  readonly changeId: string;
  readonly changeTransactionId: string;
  readonly changeSetId: string;
};

/**
 * The changes of a slice with their parts. Each record of a set is looked up in an index of both: for `= any` PostgreSQL
 * may read the whole set instead, of which it expects few rows, and compare each row with each id. Single changes are at
 * most 1,000, and all of them are in one slice.
 */
function joinedParts(ctx: MerchantContext, { condition, whole }: SliceOf, { recordType, ids }: Slice): SQL {
  const ofType = sql`
    select * from ${recordedChange}
    where ${ownedBy(ctx, recordedChange)} and ${condition} and ${recordedChange.recordType} = ${recordType}`;
  // With `offset 0` the sub-select is no part of the join, which could read the whole set too.
  const rows = whole
    ? sql`unnest(${idArray(ids)}) as named(id)
    cross join lateral (${ofType} and ${recordedChange.recordId} = named.id offset 0) as ${recordedChange}`
    : sql`(${ofType}) as ${recordedChange}`;
  return sql`${rows} ${partsOfChange(ctx, recordedChange)}`;
}

/** The bytes of what the changes did in the records of a slice. */
export async function partBytes(ctx: MerchantContext, changes: SliceOf, slice: Slice): Promise<number> {
  const length = sql`coalesce(octet_length(part.before::text), 0)
      + coalesce(octet_length(part.after::text), 0)`;
  const [size] = await readRows(
    ctx,
    { bytes: column.number },
    sql`select coalesce(sum(${length}), 0)::float8 as "bytes" from ${joinedParts(ctx, changes, slice)}`,
  );
  return size!.bytes;
}

/** The variants that the changes name in the products of a slice. */
export async function changedVariantIds(ctx: MerchantContext, changes: SliceOf, slice: Slice): Promise<string[]> {
  return await readIds(
    ctx,
    sql`
    select distinct named.id as "id" from (
      select part.before, part.after from ${joinedParts(ctx, changes, slice)}
      where part.part = 'variants') changed
    cross join lateral (
      select json_object_keys(changed.before) union all select json_object_keys(changed.after)) named(id)`,
  );
}

/** What the changes did in the records of slices, for each slice the last one first. */
export async function changedParts(
  ctx: MerchantContext,
  changes: SliceOf & Pick<RevertedChanges, 'path'>,
  slices: readonly Slice[],
): Promise<RecordPartChange[]> {
  let bytes = 0;
  for (const slice of slices) bytes += await partBytes(ctx, changes, slice);
  if (bytes > MAX_PART_BYTES)
    throw invalidAt(changes.path, 'must not have changed so much: take back fewer changes at once');
  let parts: RecordPartChange[] = [];
  // Few records can have so many parts that they are too many arguments for `push`.
  for (const slice of slices) parts = parts.concat(await partsOf(ctx, changes, slice));
  return parts;
}

async function partsOf(ctx: MerchantContext, changes: SliceOf, slice: Slice): Promise<RecordPartChange[]> {
  const hasCounts = slice.recordType === 'PRODUCT_STOCK_LOCATION';
  // The driver reads a number of JSON as a float.
  const count = (side: string): SQL => sql.raw(hasCounts ? `part.${side} ->> 'stockCount'` : 'null::text');
  const parts = await readRows(
    ctx,
    {
      recordId: column.text,
      changeId: column.text,
      changeTransactionId: column.text,
      changeSetId: column.text,
      part: column.text,
      before: column.unknown,
      after: column.unknown,
      countBefore: column.nullable(column.text),
      countAfter: column.nullable(column.text),
    },
    sql`
    select ${recordedChange.recordId} as "recordId", ${recordedChange.id} as "changeId",
      ${recordedChange.changeTransactionId} as "changeTransactionId", ${recordedChange.changeSetId} as "changeSetId",
      part.part as "part", part.before as "before", part.after as "after",
      ${count('before')} as "countBefore", ${count('after')} as "countAfter"
    from ${joinedParts(ctx, changes, slice)} order by ${recordedChange.id} desc, part.statement desc`,
  );
  return parts.map(({ before, after, countBefore, countAfter, ...change }) => {
    const { recordId, part } = change;
    const rows = (side: unknown, exact: string | null) => {
      const members = exact === null ? (side ?? {}) : { ...(side as object), stockCount: exactCount(exact) };
      return (part === '' ? { [recordId]: members } : members) as ChangedPart['before'];
    };
    const { recordType } = slice;
    return { ...change, recordType, before: rows(before, countBefore), after: rows(after, countAfter) };
  });
}
