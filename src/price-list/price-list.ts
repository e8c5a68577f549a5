import { priceList } from '../../drizzle/price-list.ts';
import { projection } from '../db/read/projection.ts';
import type { PriceList } from '../graphql/generated/types.ts';

export const priceListProjection = projection<PriceList>()(priceList, {});
