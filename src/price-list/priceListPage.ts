import { pageOperation } from '../db/read/record-list.ts';
import { priceListProjection } from './price-list.ts';

export const priceListPage = pageOperation({ projection: priceListProjection });
