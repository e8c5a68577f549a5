import { productStockLocation } from '../../drizzle/product-stock-location.ts';
import { decimal, id, recordFields, shape } from '../db/read/projection.ts';
import type { ProductStockLocation } from '../graphql/generated/types.ts';

export const productStockLocationShape = shape<ProductStockLocation>()(productStockLocation, {
  ...recordFields(),
  id: (row) => id(row.id),
  productId: (row) => id(row.productId),
  variantId: (row) => id(row.variantId),
  stockLocationId: (row) => id(row.stockLocationId),
  stockCount: (row) => decimal(row.stockCount),
});
