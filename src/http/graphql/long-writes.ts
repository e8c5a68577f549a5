import type { Mutation } from '../../graphql/generated/types.ts';

/** Operations that may write thousands of records in one transaction. They use a connection pool of their own. */
const LONG_WRITES: ReadonlySet<string> = new Set([
  'bulkUpdateProducts',
  'deleteProductList',
  'redeliverWebhookRange',
  'saveProductStockLocations',
  'saveVariantPrices',
  'updateProductSalesChannelStatus',
] satisfies (keyof Mutation)[]);

export function isLongWrite(operations: readonly string[]): boolean {
  return operations.some((name) => LONG_WRITES.has(name));
}
