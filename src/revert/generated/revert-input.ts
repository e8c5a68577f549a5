// Written by `npm run codegen` from schema/revert.graphql. Do not edit.
import { z } from 'zod';
import { list, text } from '../../field-input.ts';

export const revertChangesInput = z.object({
  changeIds: list(text(255), 1000).nullish(),
  changeSetId: text(255).nullish(),
  bulkOperationId: text(255).nullish(),
});
export type RevertChangesInput = z.output<typeof revertChangesInput>;
