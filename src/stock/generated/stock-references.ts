// Written by `npm run codegen` from @reference in schema/stock.graphql. Do not edit.
import type { Reference } from '../../db/write/references.ts';

export const stockReferences = {
  SaveStockLocationsInput: [
    { path: 'productStockLocationInputs[].productId', to: 'Product' },
    { path: 'productStockLocationInputs[].variantId', to: 'Variant', partOf: 'productId' },
    { path: 'productStockLocationInputs[].stockLocationId', to: 'StockLocation' },
    { path: 'productStockLocationInputs[].id', to: 'ProductStockLocation' },
  ],
} satisfies Record<string, readonly Reference[]>;
