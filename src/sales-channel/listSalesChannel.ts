import { listOperation } from '../db/read/record-list.ts';
import { salesChannelProjection } from './sales-channel.ts';

export const listSalesChannel = listOperation({ projection: salesChannelProjection });
