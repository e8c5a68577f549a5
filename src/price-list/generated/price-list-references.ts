// Written by `npm run codegen` from @reference in schema/price-list.graphql. Do not edit.
import type { Reference } from '../../db/write/references.ts';

export const priceListReferences = {
  PriceListInput: [
    { path: 'ruleList[].basePriceListId', to: 'PriceList' },
  ],
} satisfies Record<string, readonly Reference[]>;
