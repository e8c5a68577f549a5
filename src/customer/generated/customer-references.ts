// Written by `npm run codegen` from @reference in schema/customer.graphql. Do not edit.
import type { Reference } from '../../db/write/references.ts';

export const customerReferences = {
  CustomerInput: [
    { path: 'priceListId', to: 'PriceList' },
    { path: 'lastPriceListId', to: 'PriceList' },
    { path: 'priceListRules[].priceListId', to: 'PriceList' },
  ],
} satisfies Record<string, readonly Reference[]>;
