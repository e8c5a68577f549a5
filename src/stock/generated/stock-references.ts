// Written by `npm run codegen` from @reference in schema/stock.graphql. Do not edit.
import type { Reference } from '../../db/write/references.ts';

export const stockReferences = {
  SaveStockLocationsInput: [
    { path: 'productStockLocationInputs[].productId', to: 'Product' },
    { path: 'productStockLocationInputs[].variantId', to: 'Variant', partOf: 'productId' },
    { path: 'productStockLocationInputs[].stockLocationId', to: 'StockLocation' },
    { path: 'productStockLocationInputs[].id', to: 'ProductStockLocation' },
  ],
  AdjustStockInput: [
    { path: 'productId', to: 'Product' },
    { path: 'variantId', to: 'Variant', partOf: 'productId' },
    { path: 'stockLocationId', to: 'StockLocation' },
  ],
  MoveStockInput: [
    { path: 'productId', to: 'Product' },
    { path: 'variantId', to: 'Variant', partOf: 'productId' },
    { path: 'fromStockLocationId', to: 'StockLocation' },
    { path: 'toStockLocationId', to: 'StockLocation' },
  ],
  HoldStockInput: [
    { path: 'productId', to: 'Product' },
    { path: 'variantId', to: 'Variant', partOf: 'productId' },
    { path: 'stockLocationId', to: 'StockLocation' },
  ],
} satisfies Record<string, readonly Reference[]>;
