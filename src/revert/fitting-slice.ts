import type { Context } from '../context.ts';
import { MAX_STORED_BYTES, storedBytes } from '../product/stored/stored-size.ts';
import { MAX_PART_BYTES, nextSlice, partBytes, type Slice } from './changed-parts.ts';
import type { RevertedChanges, RevertedType } from './reverted-changes.ts';

/** Half of what one transaction may read, because variants that the changes name can be deleted, and count too. */
const MAX_PRODUCT_BYTES = MAX_STORED_BYTES / 2;

type ChangesOfSlice = Pick<RevertedChanges, 'condition'>;

/** The next records after `afterId`, so few that they and their changes fit into memory; at least one. */
export async function fittingSlice(
  ctx: Context,
  changes: ChangesOfSlice,
  recordType: RevertedType,
  afterId: string | null,
): Promise<Slice> {
  let slice = await nextSlice(ctx, changes, recordType, afterId);
  while (slice.ids.length > 1 && !(await fits(ctx, changes, slice)))
    slice = { recordType, ids: slice.ids.slice(0, Math.ceil(slice.ids.length / 2)) };
  return slice;
}

async function fits(ctx: Context, changes: ChangesOfSlice, slice: Slice): Promise<boolean> {
  if ((await partBytes(ctx, changes, slice)) > MAX_PART_BYTES) return false;
  if (slice.recordType !== 'PRODUCT') return true;
  return (await storedBytes(ctx, slice.ids, { ids: [], others: null })) <= MAX_PRODUCT_BYTES;
}
