import { type SQL, sql } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/app.ts';
import { customer } from '../../../drizzle/customer.ts';
import { product } from '../../../drizzle/product.ts';
import { productStockLocation } from '../../../drizzle/product-stock-location.ts';
import {
  type DeliveryAttempt,
  webhook,
  webhookDelivery,
  webhookRecord,
  type WebhookScope,
} from '../../../drizzle/webhook.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows, type Row } from '../../db/connection/read-rows.ts';
import { epochMs } from '../../db/sql/timestamp.ts';
import { ownedBy } from '../../db/sql/tenant.ts';

/** The last event of a kind that a record should have sent to an app. */
export type Question = {
  readonly scope: WebhookScope;
  readonly authorizedAppId: string;
  readonly recordId: string;
};

type App = { scopes: string[]; isRevoked: boolean };

type Hook = {
  id: string;
  status: 'ACTIVE' | 'PAUSED';
  pausedAt: number | null;
  failedInARow: number;
  createdAt: number;
  hasChannels: boolean;
};

type StoredRecord = { createdAt: number; updatedAt: number; deleted: boolean };

type Change = {
  deliveryId: string;
  action: 'created' | 'updated' | 'deleted' | 'restored' | 'erased';
  isCounted: boolean;
};

type Delivery = {
  id: string;
  webhookId: string;
  state: 'PENDING' | 'DELIVERED' | 'FAILED';
  attempts: number;
  createdAt: number;
  claimedAt: number | null;
  nextAttemptAt: number | null;
  lastAttempt: DeliveryAttempt | null;
};

const SITUATION = {
  nowMs: column.number,
  app: column.json<App>,
  /** The app's webhook of the scope. */
  hook: column.nullable(column.json<Hook>),
  /** The record; null if its row was deleted by plain SQL. */
  record: column.nullable(column.json<StoredRecord>),
  /**
   * The last change since the app has had a webhook for this kind of record: triggers note each one, also of plain
   * SQL. Its event has a row in the ledger if it is counted. The id is made at the change.
   */
  change: column.nullable(column.json<Change>),
  /** The latest delivery for this scope. A record is created once, so for a `created` scope it is the only event. */
  delivery: column.nullable(column.json<Delivery>),
};

/** What the database knows about the event. Times are milliseconds since the epoch. */
export type Situation = Row<typeof SITUATION>;

/** Maximum number of deliveries of the record, of all apps together, among which the last one is searched. */
const MAX_SEARCHED_DELIVERIES = 1_000;

const RECORD_TABLES = { customer, product, stock: productStockLocation };

/**
 * One statement, so that its parts fit together: rows by their primary or unique keys, and at most
 * `MAX_SEARCHED_DELIVERIES` of the record's deliveries by an index. Null if there is no such app.
 */
export async function readSituation(ctx: MerchantContext, question: Question): Promise<Situation | null> {
  const { authorizedAppId } = question;
  const [situation] = await readRows(
    ctx,
    SITUATION,
    sql`
    select ${ms(sql`now()`)} as "nowMs",
      json_build_object('scopes', ${authorizedApp.scopes}, 'isRevoked', ${authorizedApp.revokedAt} is not null) as "app",
      (${hookOf(ctx, question)}) as "hook", (${recordOf(ctx, question)}) as "record",
      (${changeOf(ctx, question)}) as "change", (${deliveryOf(ctx, question)}) as "delivery"
    from ${authorizedApp} where ${ownedBy(ctx, authorizedApp)} and ${authorizedApp.id} = ${authorizedAppId}::uuid`,
  );
  return situation ?? null;
}

function hookOf(ctx: MerchantContext, { scope, authorizedAppId }: Question): SQL {
  return sql`
    select json_build_object(
      'id', ${webhook.id}, 'status', ${webhook.status}, 'pausedAt', ${epochMs(webhook.pausedAt)},
      'failedInARow', ${webhook.givenUpInARow}, 'createdAt', ${epochMs(webhook.createdAt)},
      'hasChannels', cardinality(${webhook.salesChannelIds}) > 0)
    from ${webhook} where ${ownedBy(ctx, webhook)} and ${webhook.authorizedAppId} = ${authorizedAppId}::uuid
      and ${webhook.scope} = ${scope}`;
}

function recordOf(ctx: MerchantContext, { scope, recordId }: Question): SQL {
  const table = RECORD_TABLES[scope.split('/')[1] as keyof typeof RECORD_TABLES];
  return sql`
    select json_build_object(
      'createdAt', ${epochMs(table.createdAt)}, 'updatedAt', ${epochMs(table.updatedAt)}, 'deleted', ${table.deleted})
    from ${table} where ${ownedBy(ctx, table)} and ${table.id} = ${recordId}::uuid`;
}

function changeOf(ctx: MerchantContext, { authorizedAppId, recordId }: Question): SQL {
  const { deliveryId, action, isCounted } = webhookRecord;
  return sql`
    select json_build_object('deliveryId', ${deliveryId}, 'action', ${action}, 'isCounted', ${isCounted})
    from ${webhookRecord} where ${ownedBy(ctx, webhookRecord)}
      and ${webhookRecord.authorizedAppId} = ${authorizedAppId}::uuid and ${webhookRecord.recordId} = ${recordId}::uuid`;
}

/**
 * A record is created once, at the begin of its events, and other events of interest are at their end. So the search
 * ends after some of them: with 500,000 events of a record and none of the kind it would take half a second.
 */
function deliveryOf(ctx: MerchantContext, { scope, authorizedAppId, recordId }: Question): SQL {
  const order = sql.raw(scope.endsWith('/created') ? 'asc' : 'desc');
  return sql`
    select json_build_object(
      'id', found.id, 'webhookId', found.webhook_id, 'state', found.state, 'attempts', found.attempts,
      'createdAt', ${ms(sql`found.created_at`)}, 'claimedAt', ${ms(sql`found.claimed_at`)},
      'nextAttemptAt', ${ms(sql`found.next_attempt_at`)}, 'lastAttempt', found.attempt_log -> -1)
    from (
      select ${webhookDelivery}.* from ${webhookDelivery}
      where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.recordId} = ${recordId}::uuid
      order by ${webhookDelivery.id} ${order} limit ${sql.raw(String(MAX_SEARCHED_DELIVERIES))}
    ) as found
    where found.authorized_app_id = ${authorizedAppId}::uuid and found.scope = ${scope}
    order by found.id ${order} limit 1`;
}

function ms(instant: SQL): SQL {
  return sql`(extract(epoch from ${instant}) * 1000)::float8`;
}
