import { productStockLocation } from '../../drizzle/product-stock-location.ts';
import { projection } from '../db/read/projection.ts';
import type { ProductStockLocation } from '../graphql/generated/types.ts';

export const productStockLocationProjection = projection<ProductStockLocation>()(productStockLocation, {});
