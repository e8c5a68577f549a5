import { productStockLocation } from '../../drizzle/product-stock-location.ts';
import { decimal, id, recordFields } from '../db/read/fields.ts';
import { projection } from '../db/read/projection.ts';
import type { ProductStockLocation } from '../graphql/generated/types.ts';

export const productStockLocationProjection = projection<ProductStockLocation>()(productStockLocation, {
  ...recordFields(),
  id: (row) => id(row.id),
  productId: (row) => id(row.productId),
  variantId: (row) => id(row.variantId),
  stockLocationId: (row) => id(row.stockLocationId),
  stockCount: (row) => decimal(row.stockCount),
});
