import { priceList } from '../../drizzle/price-list.ts';
import { deleteOperation } from '../db/write/delete.ts';

export const deletePriceListList = deleteOperation(priceList, 'PriceList');
