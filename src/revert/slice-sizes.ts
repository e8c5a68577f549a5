import type { Context } from '../context.ts';
import { MAX_RECORDS } from './changed-parts.ts';
import { maySucceedWithFewer } from './revert-parts.ts';
import { revertSlice } from './revert-slice.ts';

/**
 * The maximum number of records in the next slice of each run. It is halved after a slice that took too long, or that
 * could not be committed because of one of its records, so that a run does not repeat it for ever, and doubled after
 * one that was committed.
 */
export class SliceSizes {
  readonly #sizes = new Map<string, number>();

  /** As `revertSlice`. Returns true also if the slice failed and a smaller one is possible. */
  async revertNext(ctx: Context, runId: string): Promise<boolean> {
    const size = this.#sizes.get(runId) ?? MAX_RECORDS;
    try {
      const isReverted = await revertSlice(ctx, runId, size);
      this.#sizes.set(runId, Math.min(size * 2, MAX_RECORDS));
      return isReverted;
    } catch (error) {
      if (size === 1 || !maySucceedWithFewer(error)) throw error;
      this.#sizes.set(runId, Math.ceil(size / 2));
      return true;
    }
  }
}
