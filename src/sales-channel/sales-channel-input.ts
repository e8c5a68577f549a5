import { z } from 'zod';
import { salesChannelTypes } from '../../drizzle/sales-channel.ts';
import { distinct, id, NAME_MAX, name, number, ownId, text } from '../field-input.ts';

export const salesChannelInput = z.object({
  id: ownId(),
  name: name(),
  type: z.enum(salesChannelTypes),
  priceListId: id().nullish(),
  stockLocations: ordered(id()).nullish(),
  paymentGateways: ordered(text(NAME_MAX)).nullish(),
  deleted: z.boolean().nullish(),
});

export type SalesChannelInput = z.infer<typeof salesChannelInput>;

/** An id has one place in the order. */
function ordered(id: z.ZodString) {
  return z.array(z.object({ id, order: number() })).superRefine(distinct('id'));
}
