import { salesChannel } from '../../drizzle/sales-channel.ts';
import { documents } from '../db/read/fields.ts';
import { projection } from '../db/read/projection.ts';
import type { SalesChannel, SalesChannelStockLocation } from '../graphql/generated/types.ts';

export const salesChannelProjection = projection<SalesChannel>()(salesChannel, {
  stockLocations: (row, scope) => documents<SalesChannelStockLocation>(scope, row.stockLocations),
});
