import type { WebhookScope } from '../../../drizzle/webhook.ts';
import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/app.ts';
import { webhookDelivery } from '../../../drizzle/webhook.ts';
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

/** The kind of record of a scope: `store/product`. */
export function resourceOf(scope: WebhookScope): string {
  return scope.slice(0, scope.lastIndexOf('/'));
}
