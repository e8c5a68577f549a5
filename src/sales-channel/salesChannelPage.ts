import { pageOperation } from '../db/read/record-list.ts';
import { salesChannelProjection } from './sales-channel.ts';

export const salesChannelPage = pageOperation({ projection: salesChannelProjection });
