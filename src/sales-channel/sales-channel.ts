import { salesChannel } from '../../drizzle/sales-channel.ts';
import { document, documents, id, recordFields, shape, text, word } from '../db/read/projection.ts';
import type {
  SalesChannel,
  SalesChannelPaymentGateway,
  SalesChannelStockLocation,
} from '../graphql/generated/types.ts';

export const salesChannelShape = shape<SalesChannel>()(salesChannel, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  type: (row) => word(row.type),
  priceListId: (row) => id(row.priceListId),
  stockLocations: (row, read) => documents<SalesChannelStockLocation>(read, row.stockLocations),
  paymentGateways: (row, read) => document<SalesChannelPaymentGateway[]>(read, row.paymentGateways),
});
