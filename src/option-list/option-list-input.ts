import type { z } from 'zod';
import { DEFAULT_LIST_SIZE } from '../limits/list-size.ts';
import type { OptionInput } from './option-list.ts';

/**
 * Refuses more options than a record may have. The list itself may be longer, so that a record that was read with its
 * removed options can be sent back.
 */
export function limitOptions(options: readonly OptionInput[], context: z.RefinementCtx): void {
  const count = options.filter(({ deleted }) => !deleted).length;
  if (count > DEFAULT_LIST_SIZE)
    context.addIssue(`must have at most ${DEFAULT_LIST_SIZE} entries that are not deleted and has ${count}`);
}
