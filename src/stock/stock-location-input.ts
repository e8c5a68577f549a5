import { z } from 'zod';
import { stockLocationDeliveryTimes } from '../../drizzle/stock.ts';
import { MAX_NAME_LENGTH, name, ownId, text, translations } from '../field-input.ts';

export const stockLocationInput = z.object({
  id: ownId(),
  name: name(),
  type: z.enum(['PHYSICAL', 'VIRTUAL']).nullish(),
  description: text().nullish(),
  address: address().nullish(),
  outOfStockMailList: z.array(text(MAX_NAME_LENGTH)).nullish(),
  isRemindOutOfStockEnabled: z.boolean().nullish(),
  deliveryTime: z.enum(stockLocationDeliveryTimes).nullish(),
  translations: translations({ description: text().nullish() }).nullish(),
  deleted: z.boolean().nullish(),
});

function address() {
  const line = text(MAX_NAME_LENGTH).nullish();
  const place = z.object({ id: line, code: line, name: line });
  return z.object({
    address: text().nullish(),
    phone: line,
    postalCode: line,
    city: place.nullish(),
    country: place.extend({ iso2: line, iso3: line }).nullish(),
    district: place.nullish(),
    state: place.nullish(),
  });
}
