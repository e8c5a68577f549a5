import { sql } from 'drizzle-orm';
import { type RecordPart, recordParts } from '../change/record-parts.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { idArray, ownedBy } from '../db/sql/parameter.ts';
import { columnsOf } from '../db/sql/table-columns.ts';
import { type InputPath, invalidAt } from '../errors.ts';
import { type DeletedVariants, MAX_STORED_BYTES, refuseTooLarge, storedBytes } from '../product/stored/stored-size.ts';
import type { RecordPartChange } from './changed-parts.ts';
import type { RevertedType } from './reverted-changes.ts';

/** Records of one type. `variantIds`: deleted variants of products that are read too. */
export type PresentRecords = { readonly ids: readonly string[]; readonly variantIds: readonly string[] };

/** The records of one type that have changed. */
export function presentRecords(changes: readonly RecordPartChange[]): PresentRecords {
  const ids = [...new Set(changes.map(({ recordId }) => recordId))].sort();
  const variantIds = changes.flatMap(({ part, before, after }) =>
    part === 'variants' ? [...Object.keys(before), ...Object.keys(after)] : [],
  );
  return { ids, variantIds };
}

/** Maximum bytes of records of one type other than products, with their parts, that one transaction reads. */
const MAX_PRESENT_BYTES = 32 * 1024 * 1024;

/**
 * Refuses records that are too large together, before they are read. All of them are in memory until they are written, so
 * the bytes of all types are added up.
 */
export async function refuseTooLargeRecords(
  ctx: Context,
  byType: ReadonlyMap<RevertedType, PresentRecords>,
  path: InputPath,
): Promise<void> {
  let bytes = 0;
  for (const [recordType, records] of byType) bytes += await refuseTooLargeType(ctx, recordType, records, path);
  if (bytes > MAX_STORED_BYTES)
    throw tooLarge(path, `of several types that have ${bytes} bytes together`, MAX_STORED_BYTES);
}

/** Returns the bytes of the records. */
async function refuseTooLargeType(
  ctx: Context,
  recordType: RevertedType,
  records: PresentRecords,
  path: InputPath,
): Promise<number> {
  if (recordType === 'PRODUCT') return await refuseTooLarge(ctx, records.ids, deletedOf(records), path);
  const bytes = await presentBytes(ctx, recordType, records.ids);
  if (bytes > MAX_PRESENT_BYTES) throw tooLarge(path, `that have ${bytes} bytes`, MAX_PRESENT_BYTES);
  return bytes;
}

function tooLarge(path: InputPath, which: string, maxBytes: number): Error {
  const limit = `at most ${maxBytes} bytes of stored records are changed at once`;
  return invalidAt(path, `names records ${which}, but ${limit}: take back fewer changes at once`);
}

/** Whether `refuseTooLargeRecords` accepts records of one type. */
export async function areSmallEnough(
  ctx: Context,
  recordType: RevertedType,
  records: PresentRecords,
): Promise<boolean> {
  if (recordType === 'PRODUCT') return (await storedBytes(ctx, records.ids, deletedOf(records))) <= MAX_STORED_BYTES;
  return (await presentBytes(ctx, recordType, records.ids)) <= MAX_PRESENT_BYTES;
}

async function presentBytes(ctx: Context, recordType: RevertedType, ids: readonly string[]): Promise<number> {
  const parts: readonly RecordPart[] = recordParts[recordType];
  const sums = parts.map(
    ({ table, of }) => sql`(
    select coalesce(sum(octet_length(${table}::text)), 0) from ${table}
    where ${ownedBy(ctx, table)} and ${columnsOf(table)[of]!} = any(${idArray(ids)}))`,
  );
  const [found] = await readRows(
    ctx,
    { bytes: column.number },
    sql`select (${sql.join(sums, sql` + `)})::float8 as "bytes"`,
  );
  return found!.bytes;
}

function deletedOf({ variantIds }: PresentRecords): DeletedVariants {
  return { ids: variantIds, others: null };
}
