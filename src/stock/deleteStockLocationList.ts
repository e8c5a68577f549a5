import { stockLocation } from '../../drizzle/stock.ts';
import { deleteOperation } from '../db/write/delete.ts';

export const deleteStockLocationList = deleteOperation(stockLocation, 'StockLocation');
