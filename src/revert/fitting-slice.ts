import type { Context } from '../context.ts';
import { changedVariantIds, MAX_PART_BYTES, nextSlice, partBytes, type Slice, type SliceOf } from './changed-parts.ts';
import { areSmallEnough } from './present-bytes.ts';
import type { RevertedType, SliceRange } from './reverted-changes.ts';

/** The next records of a range, so few that they and their changes fit into memory; at least one. */
export async function fittingSlice(
  ctx: Context,
  changes: SliceOf,
  recordType: RevertedType,
  range: SliceRange,
): Promise<Slice> {
  return await fittingPart(ctx, changes, await nextSlice(ctx, changes, recordType, range));
}

/** The first records of a slice, so few that they fit into memory; at least one. */
export async function fittingPart(ctx: Context, changes: SliceOf, whole: Slice): Promise<Slice> {
  let slice = whole;
  while (slice.ids.length > 1 && !(await fits(ctx, changes, slice)))
    slice = { ...slice, ids: slice.ids.slice(0, Math.ceil(slice.ids.length / 2)) };
  return slice;
}

async function fits(ctx: Context, changes: SliceOf, slice: Slice): Promise<boolean> {
  if ((await partBytes(ctx, changes, slice)) > MAX_PART_BYTES) return false;
  const { recordType, ids } = slice;
  const variantIds = recordType === 'PRODUCT' ? await changedVariantIds(ctx, changes, slice) : [];
  return await areSmallEnough(ctx, recordType, { ids, variantIds });
}
