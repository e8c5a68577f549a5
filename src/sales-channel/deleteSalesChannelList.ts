import { salesChannel } from '../../drizzle/sales-channel.ts';
import { deleteOperation } from '../db/write/delete.ts';

export const deleteSalesChannelList = deleteOperation(salesChannel, 'SalesChannel');
