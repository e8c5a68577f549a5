import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/app.ts';
import { webhookDelivery, type WebhookScope, webhookScopes } from '../../../drizzle/webhook.ts';
import type { AppScope } from '../../app-scope.ts';

/** The scope that a token needs to receive events of each kind of record. */
export const READ_SCOPES: Record<string, AppScope> = {
  customer: 'read_customers',
  product: 'read_products',
  stock: 'read_inventories',
};

/**
 * The app of a delivery currently has the read scope of the delivery's record. Not `case … when 'customer'`, which
 * Citus sends to the shard in a form that PostgreSQL refuses.
 */
export const appMayRead = sql`${authorizedApp.scopes} && case
  ${sql.join(
    Object.entries(READ_SCOPES).map(
      ([kind, scope]) =>
        sql`when split_part(${webhookDelivery.scope}, '/', 2) = ${sql.raw(`'${kind}'`)}
          then ${sql.raw(`'{${scope},${scope.replace('read_', 'write_')}}'::text[]`)}`,
    ),
    sql` `,
  )} end`;

/** The kind of record that the events of a scope are about. Those of `store/stock` are about two kinds. */
export function recordKindOf(scope: WebhookScope): 'customer' | 'product' | 'stock' | 'hold' {
  if (scope === 'store/stock/held' || scope === 'store/stock/released') return 'hold';
  return scope.split('/')[1] as 'customer' | 'product' | 'stock';
}

/** All scopes for the kind of record of a scope. */
export function scopesOfRecordKind(scope: WebhookScope): WebhookScope[] {
  return webhookScopes.filter((other) => recordKindOf(other) === recordKindOf(scope));
}
