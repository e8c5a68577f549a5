import { z } from 'zod';
import { distinct, id } from '../field-input.ts';

export const salesChannelStatusInput = z
  .array(z.object({ productId: id(), active: z.boolean() }))
  .superRefine(distinct('productId'));
