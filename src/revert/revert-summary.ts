import { sql } from 'drizzle-orm';
import type { ChangeRecordType } from '../../drizzle/change.ts';
import { changeRecordTypeEnum } from '../../drizzle/generated/enums.ts';
import { recordedChange } from '../../drizzle/recorded-change.ts';
import { checkArgumentScope } from '../argument-scope.ts';
import { writeScopeOf } from '../change/change-record-type.ts';
import { recordParts } from '../change/record-parts.ts';
import type { Context } from '../context.ts';
import { column, readIds, readRows } from '../db/connection/read-rows.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import { invalidAt } from '../errors.ts';
import { refuseUnfinished } from './refuse-unfinished.ts';
import { nextIds, NO_CHANGES, type RevertedChanges, type RevertedType } from './reverted-changes.ts';

/** What is known of the changes before they are read. */
export type Summary = {
  readonly types: ReadonlySet<RevertedType>;
  /** Of each type at most one more than `maxRecords` are counted. */
  readonly recordCount: number;
  /** Those that the changes belong to. */
  readonly changeSetIds: readonly string[];
};

/**
 * Refuses changes that cannot be taken back by the token, or at all. A whole set may be empty: a bulk operation that adds
 * addresses of pictures changes nothing until they are fetched.
 */
export async function checkedSummary(ctx: Context, changes: RevertedChanges, maxRecords: number): Promise<Summary> {
  const { path, whole } = changes;
  const found = whole ? await countedTypes(ctx, changes, maxRecords) : await typesOfChanges(ctx, changes);
  checkWritable(ctx, new Set(found.map(({ recordType }) => recordType)));
  const refuse = (message: string): never => {
    throw invalidAt(path, message);
  };
  if (whole) await refuseUnfinished(ctx, whole);
  if (found.length === 0 && !whole) refuse(NO_CHANGES);
  const fixed = found.find(({ recordType }) => !(recordType in recordParts));
  if (fixed) refuse(`must not have changes of ${fixed.recordType}: they cannot be taken back`);
  const truncated = await truncatedRecord(ctx, changes);
  if (truncated) refuse(`must not have a change of ${truncated} whose values are not kept`);
  return {
    types: new Set(found.map(({ recordType }) => recordType as RevertedType)),
    recordCount: found.reduce((sum, { records }) => sum + records, 0),
    changeSetIds: whole ? [whole.changeSetId] : [...new Set(found.flatMap(({ setIds }) => setIds ?? []))],
  };
}

type TypeCount = { recordType: ChangeRecordType; records: number; setIds?: readonly string[] };

/** The numbers of records in a set, which may have millions. */
async function countedTypes(ctx: Context, changes: RevertedChanges, maxRecords: number): Promise<TypeCount[]> {
  const range = { afterId: null, maxRecords: maxRecords + 1 };
  const counts = changeRecordTypeEnum.map(
    (recordType) => sql`
    select ${recordType} as "recordType", count(*)::int as "records"
    from (${nextIds(ctx, changes, recordType, range)}) as own`,
  );
  const found = await readRows(
    ctx,
    { recordType: column.oneOf(changeRecordTypeEnum), records: column.number },
    sql.join(counts, sql` union all `),
  );
  return found.filter(({ records }) => records > 0);
}

async function typesOfChanges(ctx: Context, { condition }: RevertedChanges): Promise<TypeCount[]> {
  return await readRows(
    ctx,
    {
      recordType: column.oneOf(changeRecordTypeEnum),
      records: column.number,
      setIds: column.json<string[]>,
    },
    sql`
    select ${recordedChange.recordType} as "recordType", count(distinct ${recordedChange.recordId})::int as "records",
      json_agg(distinct ${recordedChange.changeSetId}) as "setIds"
    from ${recordedChange} where ${ownedBy(ctx, recordedChange)} and ${condition} group by ${recordedChange.recordType}`,
  );
}

async function truncatedRecord(ctx: Context, { condition }: RevertedChanges): Promise<string | undefined> {
  const [recordId] = await readIds(
    ctx,
    sql`
    select ${recordedChange.recordId} as "id" from ${recordedChange}
    where ${ownedBy(ctx, recordedChange)} and ${condition} and ${recordedChange.truncated} limit 1`,
  );
  return recordId;
}

export function checkWritable(ctx: Context, types: ReadonlySet<ChangeRecordType>): void {
  for (const recordType of types) checkArgumentScope(ctx, writeScopeOf(recordType));
}
