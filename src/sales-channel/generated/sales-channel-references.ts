// Written by `npm run codegen` from @reference in schema/sales-channel.graphql. Do not edit.
import type { Reference } from '../../db/write/references.ts';

export const salesChannelReferences = {
  SalesChannelInput: [
    { path: 'priceListId', to: 'PriceList' },
    { path: 'stockLocations[].id', to: 'StockLocation' },
  ],
} satisfies Record<string, readonly Reference[]>;
