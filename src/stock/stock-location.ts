import { stockLocation } from '../../drizzle/stock.ts';
import { projection } from '../db/read/projection.ts';
import type { StockLocation } from '../graphql/generated/types.ts';

export const stockLocationProjection = projection<StockLocation>()(stockLocation, {});
