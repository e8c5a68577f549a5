import { listOperation } from '../db/read/record-list.ts';
import { stockLocationProjection } from './stock-location.ts';

export const listStockLocation = listOperation({ projection: stockLocationProjection });
