import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/app.ts';
import { customer } from '../../../drizzle/customer.ts';
import { productStockLocation } from '../../../drizzle/product-stock-location.ts';
import { product } from '../../../drizzle/product.ts';
import { stockHold } from '../../../drizzle/stock-hold.ts';
import { webhookDelivery, type WebhookScope, webhookScopes } from '../../../drizzle/webhook.ts';
import type { AppScope } from '../../app-scope.ts';

/**
 * The kinds of records that events are about. `readScope`: the scope that a token needs to receive them. `changeType`:
 * the type of the record's changes in the history, which has none of holds.
 */
export const RECORD_KINDS = {
  customer: { type: 'Customer', table: customer, readScope: 'read_customers', changeType: 'CUSTOMER' },
  product: { type: 'Product', table: product, readScope: 'read_products', changeType: 'PRODUCT' },
  stock: {
    type: 'ProductStockLocation',
    table: productStockLocation,
    readScope: 'read_inventories',
    changeType: 'PRODUCT_STOCK_LOCATION',
  },
  hold: { type: 'StockHold', table: stockHold, readScope: 'read_inventories', changeType: null },
} as const;

export type RecordKind = keyof typeof RECORD_KINDS;

/** The scope that a token needs to receive events, by the second word of the events' scopes. */
export const READ_SCOPES: ReadonlyMap<string, AppScope> = new Map(
  webhookScopes.map((scope) => [subjectOf(scope), readScopeOf(scope)]),
);

/**
 * The app of a delivery currently has the read scope of the delivery's record. Not `case … when 'customer'`, which
 * Citus sends to the shard in a form that PostgreSQL refuses.
 */
export const appMayRead = sql`${authorizedApp.scopes} && case
  ${sql.join(
    [...READ_SCOPES].map(
      ([subject, scope]) =>
        sql`when split_part(${webhookDelivery.scope}, '/', 2) = ${sql.raw(`'${subject}'`)}
          then ${sql.raw(`'{${scope},${scope.replace('read_', 'write_')}}'::text[]`)}`,
    ),
    sql` `,
  )} end`;

/** The second word of a scope. */
function subjectOf(scope: WebhookScope): Exclude<RecordKind, 'hold'> {
  return scope.split('/')[1] as Exclude<RecordKind, 'hold'>;
}

/** The kind of record that the events of a scope are about. Those of `store/stock` are about two kinds. */
export function recordKindOf(scope: WebhookScope): RecordKind {
  return scope === 'store/stock/held' || scope === 'store/stock/released' ? 'hold' : subjectOf(scope);
}

export function readScopeOf(scope: WebhookScope): AppScope {
  return RECORD_KINDS[recordKindOf(scope)].readScope;
}

/** All scopes for the kind of record of a scope. */
export function scopesOfRecordKind(scope: WebhookScope): WebhookScope[] {
  return webhookScopes.filter((other) => recordKindOf(other) === recordKindOf(scope));
}
