import { holdStockInputList } from '../generated/stock-input.ts';

export const holds = holdStockInputList.superRefine((entries, context) => {
  for (const [index, { quantity }] of entries.entries())
    if (quantity === 0) context.addIssue({ code: 'custom', path: [index, 'quantity'], message: 'must be more than 0' });
});
