import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { currentSdl, schemaOf } from '../../../codegen/schema-review/sdl-version.ts';
import { findLongWrites } from '../../../src/graphql/schema/long-writes.ts';

const DIRECTIVE = 'directive @transaction(isLong: Boolean!) on FIELD_DEFINITION type Query { any: Int }';

describe('long writes', () => {
  it('are the operations with a long transaction', () => {
    const schema = buildSchema(
      `${DIRECTIVE} type Mutation { one: Int @transaction(isLong: true) other: Int @transaction(isLong: false) }`,
    );
    expect([...findLongWrites(schema)]).toEqual(['one']);
  });

  it('are refused if an operation does not say how long its transaction is', () => {
    const schema = buildSchema(`${DIRECTIVE} type Mutation { one: Int @transaction(isLong: true) other: Int }`);
    expect(() => findLongWrites(schema)).toThrow('Mutation.other has no @transaction');
  });

  it('of the service are the operations that may write thousands of records', () => {
    expect([...findLongWrites(schemaOf(currentSdl()))].sort()).toEqual([
      'bulkUpdateProducts',
      'deleteProductList',
      'eraseCustomerList',
      'redeliverWebhookDeliveryRange',
      'redeliverWebhookRange',
      'revertChanges',
      'saveProductStockLocations',
      'saveVariantPrices',
      'updateProductSalesChannelStatus',
    ]);
  });
});
