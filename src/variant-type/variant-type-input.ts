import type { z } from 'zod';
import { limitOptions } from '../option-list/option-list-input.ts';
import { variantTypeInput as members, type VariantValueInput } from './generated/variant-type-input.ts';

export const NO_VALUE = 'must have at least one value that is not deleted';

export const variantTypeInput = members.extend({
  values: members.shape.values.superRefine(limitOptions).superRefine(distinctNames),
});

function distinctNames(values: readonly VariantValueInput[], context: z.RefinementCtx): void {
  const names = new Set<string>();
  for (const [index, { name, deleted }] of values.entries()) {
    if (deleted) continue;
    if (names.has(name)) context.addIssue({ code: 'custom', path: [index, 'name'], message: 'must not occur twice' });
    names.add(name);
  }
  if (names.size === 0) context.addIssue(NO_VALUE);
}
