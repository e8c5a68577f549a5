import { sql } from 'drizzle-orm';
import { type RecordPart, recordParts } from '../change/record-parts.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { idArray, ownedBy } from '../db/sql/parameter.ts';
import { columnsOf } from '../db/sql/table-columns.ts';
import { type InputPath, invalidAt } from '../errors.ts';
import { type DeletedVariants, MAX_STORED_BYTES, refuseTooLarge, storedBytes } from '../product/stored/stored-size.ts';
import type { RevertedType } from './reverted-changes.ts';

/** Records of one type. `variantIds`: deleted variants of products that are read too. */
type PresentRecords = { readonly ids: readonly string[]; readonly variantIds: readonly string[] };

/** Maximum bytes of records of one type other than products, with their parts, that one transaction reads. */
const MAX_PRESENT_BYTES = 32 * 1024 * 1024;

/** Refuses records that are too large together, before they are read. */
export async function refuseTooLargeRecords(
  ctx: Context,
  recordType: RevertedType,
  records: PresentRecords,
  path: InputPath,
): Promise<void> {
  if (recordType === 'PRODUCT') return await refuseTooLarge(ctx, records.ids, deletedOf(records), path);
  const bytes = await presentBytes(ctx, recordType, records.ids);
  if (bytes > MAX_PRESENT_BYTES)
    throw invalidAt(
      path,
      `names records that have ${bytes} bytes, but at most ${MAX_PRESENT_BYTES} bytes of stored records are changed at once: take back fewer changes at once`,
    );
}

/** Whether `refuseTooLargeRecords` accepts the records. */
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
