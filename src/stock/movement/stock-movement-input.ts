import type { z } from 'zod';
import { adjustStockInputList, moveStockInputList } from '../generated/stock-input.ts';

export const adjustments = adjustStockInputList.superRefine((entries, context) => {
  for (const [index, { delta }] of entries.entries())
    if (delta === 0) context.addIssue({ code: 'custom', path: [index, 'delta'], message: 'must not be 0' });
});
export type Adjustment = z.output<typeof adjustments>[number];

export const moves = moveStockInputList.superRefine((entries, context) => {
  for (const [index, { quantity, fromStockLocationId, toStockLocationId }] of entries.entries()) {
    const refuse = (member: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [index, member], message });
    if (quantity === 0) refuse('quantity', 'must be more than 0');
    if (fromStockLocationId === toStockLocationId)
      refuse('toStockLocationId', 'must be another stock location than fromStockLocationId');
  }
});
export type Move = z.output<typeof moves>[number];
