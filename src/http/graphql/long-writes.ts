import type { DocumentNode } from '../../graphql/execute/execute.ts';
import { type OperationDefinitionNode, rootFieldNames } from '../../graphql/document/operation.ts';
import type { Mutation } from '../../graphql/generated/types.ts';

/** Operations that write up to thousands of records in one transaction. */
const longWrites: ReadonlySet<string> = new Set([
  'bulkUpdateProducts',
  'deleteProductList',
  'redeliverWebhookRange',
  'saveProductStockLocations',
  'saveVariantPrices',
  'updateProductSalesChannelStatus',
] satisfies (keyof Mutation)[]);

/** Whether the mutation may take long, and so has to leave the connections to others. */
export function writesLong(document: DocumentNode, operation: OperationDefinitionNode): boolean {
  return rootFieldNames(document, operation).some((name) => longWrites.has(name));
}
