import { sql } from 'drizzle-orm';
import { salesChannel, salesChannelStockLocation } from '../../drizzle/sales-channel.ts';
import { decimal, document, id, many, recordFields, shape, text, word } from '../db/shape.ts';
import type { SalesChannel, SalesChannelPaymentGateway, SalesChannelStockLocation } from '../graphql/types.generated.ts';

const stockLocationShape = shape<SalesChannelStockLocation>()(salesChannelStockLocation, {
  id: (row) => id(row.stockLocationId),
  order: (row) => decimal(row.order),
});

export const salesChannelShape = shape<SalesChannel>()(salesChannel, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  type: (row) => word(row.type),
  priceListId: (row) => id(row.priceListId),
  stockLocations: (row, read) =>
    many(read, stockLocationShape, (location) => ({
      where: [sql`${location.salesChannelId} = ${row.id}`],
      orderBy: [sql`${location.position}`],
    })),
  paymentGateways: (row, read) => document<SalesChannelPaymentGateway[]>(read, row.paymentGateways),
});
