import { pageOperation } from '../db/read/record-list.ts';
import { stockLocationProjection } from './stock-location.ts';

export const stockLocationPage = pageOperation({ projection: stockLocationProjection });
