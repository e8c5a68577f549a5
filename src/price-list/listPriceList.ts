import { listOperation } from '../db/read/record-list.ts';
import { priceListProjection } from './price-list.ts';

export const listPriceList = listOperation({ projection: priceListProjection });
