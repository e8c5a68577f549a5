import { customer } from '../../drizzle/customer.ts';
import { document, integer } from '../db/read/fields.ts';
import { projection } from '../db/read/projection.ts';
import type {
  Customer,
  CustomerAddress,
  CustomerAttributeValue,
  CustomerPriceListRule,
} from '../graphql/generated/types.ts';

/** Events carry the same fields: `npm run codegen` writes migrations/functions/customer_events.sql from these. */
export const customerProjection = projection<Customer>()(customer, {
  customerSequence: (row) => integer(row.sequence),
  addresses: (row, scope) => document<CustomerAddress[]>(scope, row.addresses),
  attributes: (row, scope) => document<CustomerAttributeValue[]>(scope, row.attributes),
  priceListRules: (row, scope) => document<CustomerPriceListRule[]>(scope, row.priceListRules),
});
