import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { change, changePart } from '../../../drizzle/change.ts';
import type { WebhookScope } from '../../../drizzle/webhook.ts';
import { ownedBy, type Tenant, textArray } from '../../db/sql/parameter.ts';

/**
 * The changes that deleted an app's webhooks of the scopes, as the end of a statement that selects from `change`. Only
 * the history knows of deleted webhooks, so without a history there are none.
 */
export function deletedWebhooks(tenant: Tenant, appId: AnyPgColumn, scopes: readonly WebhookScope[]): SQL {
  return sql`
    from ${change} join ${changePart} on ${ownedBy(tenant, changePart)}
      and ${changePart.changeTransactionId} = ${change.changeTransactionId}
      and ${changePart.recordId} = ${change.recordId} and ${changePart.recordType} = ${change.recordType}
    where ${ownedBy(tenant, change)} and ${change.recordType} = 'WEBHOOK' and ${change.kind} = 'DELETED'
      and ${changePart.before} ->> 'authorizedAppId' = ${appId}::text
      and ${changePart.before} ->> 'scope' = any(${textArray(scopes)})`;
}
