import { z } from 'zod';
import { salesChannelTypes } from '../../drizzle/sales-channel.ts';
import { distinct, id, MAX_NAME_LENGTH, name, number, ownId, text } from '../field-input.ts';

export const salesChannelInput = z.object({
  id: ownId(),
  name: name(),
  type: z.enum(salesChannelTypes),
  priceListId: id().nullish(),
  stockLocations: ordered(id()).nullish(),
  paymentGateways: ordered(text(MAX_NAME_LENGTH)).nullish(),
  deleted: z.boolean().nullish(),
});

export type SalesChannelInput = z.infer<typeof salesChannelInput>;

/** An ordered list; no id occurs twice. */
function ordered(id: z.ZodString) {
  return z.array(z.object({ id, order: number() })).superRefine(distinct('id'));
}
