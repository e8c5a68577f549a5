import { z } from 'zod';
import { salesChannelTypes } from '../../drizzle/sales-channel.ts';
import { id, NAME_MAX, name, number, ownId, text } from '../field-input.ts';

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

/** Each id once, for it has one place in the order. */
function ordered(id: z.ZodString) {
  return z.array(z.object({ id, order: number() })).superRefine((list, context) => {
    const seen = new Set<string>();
    for (const [index, { id }] of list.entries()) {
      if (seen.has(id)) context.addIssue({ code: 'custom', path: [index, 'id'], message: 'must not occur twice' });
      seen.add(id);
    }
  });
}
