import { salesChannel } from '../../drizzle/sales-channel.ts';
import { document, documents } from '../db/read/fields.ts';
import { projection } from '../db/read/projection.ts';
import type {
  SalesChannel,
  SalesChannelPaymentGateway,
  SalesChannelStockLocation,
} from '../graphql/generated/types.ts';

export const salesChannelProjection = projection<SalesChannel>()(salesChannel, {
  stockLocations: (row, scope) => documents<SalesChannelStockLocation>(scope, row.stockLocations),
  paymentGateways: (row, scope) => document<SalesChannelPaymentGateway[]>(scope, row.paymentGateways),
});
