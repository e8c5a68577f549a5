import { type SQL, sql } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/app.ts';
import { change } from '../../../drizzle/change.ts';
import { stockHold } from '../../../drizzle/stock-hold.ts';
import {
  type DeliveryAttempt,
  webhook,
  webhookDelivery,
  webhookRecord,
  type WebhookScope,
  webhookScopes,
} from '../../../drizzle/webhook.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows, type Row } from '../../db/connection/read-rows.ts';
import { idArray, ownedBy, textArray } from '../../db/sql/parameter.ts';
import { epochMs } from '../../db/sql/timestamp.ts';
import { RECORD_KINDS, recordKindOf, scopesOfRecordKind } from '../ledger/record-kinds.ts';
import { deletedWebhooks } from './deleted-webhooks.ts';

/** The last event of a kind that a record should have sent to apps. */
export type Question = {
  readonly scope: WebhookScope;
  readonly recordId: string;
};

type App = { id: string; name: string; scopes: string[]; isRevoked: boolean };

type Hook = {
  id: string;
  endpoint: string;
  status: 'ACTIVE' | 'PAUSED';
  pausedAt: number | null;
  failedInARow: number;
  createdAt: number;
  hasChannels: boolean;
};

type StoredRecord = { createdAt: number; updatedAt: number; deleted: boolean };

type Change = {
  deliveryId: string;
  action: 'created' | 'updated' | 'deleted' | 'restored' | 'erased' | 'held' | 'released';
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
  /** When the app's last deleted webhook of the scope was deleted; null if the merchant's history has no deletion. */
  deletedAt: column.nullable(column.number),
  /** The other scopes of such records for which the app has webhooks. */
  otherScopes: column.json<WebhookScope[]>,
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

/**
 * One statement, so that its parts fit together: rows by their primary or unique keys, deleted webhooks by an index of
 * their own, and at most `MAX_SEARCHED_DELIVERIES` of the record's deliveries by an index. Apps that do not exist are
 * left out.
 */
export async function readSituations(
  ctx: MerchantContext,
  question: Question,
  authorizedAppIds: readonly string[],
): Promise<Situation[]> {
  return await readRows(
    ctx,
    SITUATION,
    sql`
    with recent as materialized (${recentDeliveries(ctx, question)})
    select ${ms(sql`now()`)} as "nowMs",
      json_build_object('id', ${authorizedApp.id}, 'name', ${authorizedApp.name}, 'scopes', ${authorizedApp.scopes},
        'isRevoked', ${authorizedApp.revokedAt} is not null) as "app",
      (${hookOf(ctx, question)}) as "hook", (${deletedAtOf(ctx, question)}) as "deletedAt",
      (${otherScopesOf(ctx, question)}) as "otherScopes", (${recordOf(ctx, question)}) as "record",
      (${changeOf(ctx, question)}) as "change", (${deliveryOf(question)}) as "delivery"
    from ${authorizedApp}
    where ${ownedBy(ctx, authorizedApp)} and ${authorizedApp.id} = any(${idArray(authorizedAppIds)})`,
  );
}

function hookOf(ctx: MerchantContext, { scope }: Question): SQL {
  return sql`
    select json_build_object(
      'id', ${webhook.id}, 'endpoint', ${webhook.endpoint}, 'status', ${webhook.status},
      'pausedAt', ${epochMs(webhook.pausedAt)}, 'failedInARow', ${webhook.givenUpInARow},
      'createdAt', ${epochMs(webhook.createdAt)}, 'hasChannels', cardinality(${webhook.salesChannelIds}) > 0)
    from ${webhook} where ${isOfApp(ctx, webhook)} and ${webhook.scope} = ${scope}`;
}

function deletedAtOf(ctx: MerchantContext, { scope }: Question): SQL {
  return sql`select max(${epochMs(change.createdAt)}) ${deletedWebhooks(ctx, authorizedApp.id, [scope])}`;
}

function otherScopesOf(ctx: MerchantContext, { scope }: Question): SQL {
  return sql`
    select coalesce(json_agg(${webhook.scope}), '[]')
    from ${webhook} where ${isOfApp(ctx, webhook)} and ${webhook.scope} = any(${textArray(scopesOfRecordKind(scope))})
      and ${webhook.scope} <> ${scope}`;
}

export function recordOf(ctx: MerchantContext, { scope, recordId }: Question): SQL {
  const kind = recordKindOf(scope);
  if (kind === 'hold') return holdOf(ctx, recordId);
  const { table } = RECORD_KINDS[kind];
  return sql`
    select json_build_object(
      'createdAt', ${epochMs(table.createdAt)}, 'updatedAt', ${epochMs(table.updatedAt)}, 'deleted', ${table.deleted})
    from ${table} where ${ownedBy(ctx, table)} and ${table.id} = ${recordId}::uuid`;
}

/** A hold has neither a time of its last change nor a mark of its deletion. */
function holdOf(ctx: MerchantContext, recordId: string): SQL {
  const createdAt = epochMs(stockHold.createdAt);
  return sql`
    select json_build_object('createdAt', ${createdAt}, 'updatedAt', ${createdAt}, 'deleted', false)
    from ${stockHold} where ${ownedBy(ctx, stockHold)} and ${stockHold.id} = ${recordId}::uuid`;
}

function changeOf(ctx: MerchantContext, question: Question): SQL {
  const { deliveryId, action, isCounted } = webhookRecord;
  return sql`
    select json_build_object('deliveryId', ${deliveryId}, 'action', ${action}, 'isCounted', ${isCounted})
    from ${webhookRecord} where ${isOfApp(ctx, webhookRecord)} and ${webhookRecord.recordId} = ${question.recordId}::uuid
      and not ${isOfOtherKind(ctx, question)}`;
}

/**
 * Whether the record is known to be of another kind than those of the scope. The last change of a record does not tell
 * its kind, but the record's row does, and each of its deliveries.
 */
export function isOfOtherKind(ctx: MerchantContext, { scope, recordId }: Question): SQL {
  const ofKind = scopesOfRecordKind(scope);
  const others = new Map(webhookScopes.map((other) => [recordKindOf(other), other]));
  others.delete(recordKindOf(scope));
  const records = [...others.values()].map((other) => sql`exists (${recordOf(ctx, { scope: other, recordId })})`);
  return sql`(${sql.join(records, sql` or `)} or exists (
    select from (
      select ${webhookDelivery.scope} as scope from ${webhookDelivery}
      where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.recordId} = ${recordId}::uuid limit 1
    ) as known where known.scope <> all(${textArray(ofKind)})))`;
}

/**
 * A record is created once, at the begin of its events, and other events of interest are at their end. So the search
 * ends after some of them: with 500,000 events of a record and none of the kind it would take half a second.
 */
function recentDeliveries(ctx: MerchantContext, { scope, recordId }: Question): SQL {
  return sql`
    select ${webhookDelivery}.* from ${webhookDelivery}
    where ${ownedBy(ctx, webhookDelivery)} and ${webhookDelivery.recordId} = ${recordId}::uuid
    order by ${webhookDelivery.id} ${deliveryOrder(scope)} limit ${sql.raw(String(MAX_SEARCHED_DELIVERIES))}`;
}

function deliveryOf({ scope }: Question): SQL {
  return sql`
    select json_build_object(
      'id', recent.id, 'webhookId', recent.webhook_id, 'state', recent.state, 'attempts', recent.attempts,
      'createdAt', ${ms(sql`recent.created_at`)}, 'claimedAt', ${ms(sql`recent.claimed_at`)},
      'nextAttemptAt', ${ms(sql`recent.next_attempt_at`)}, 'lastAttempt', recent.attempt_log -> -1)
    from recent where recent.authorized_app_id = ${authorizedApp.id} and recent.scope = ${scope}
    order by recent.id ${deliveryOrder(scope)} limit 1`;
}

function deliveryOrder(scope: WebhookScope): SQL {
  return sql.raw(scope.endsWith('/created') ? 'asc' : 'desc');
}

function isOfApp(ctx: MerchantContext, table: typeof webhook | typeof webhookRecord): SQL {
  return sql`${ownedBy(ctx, table)} and ${table.authorizedAppId} = ${authorizedApp.id}`;
}

function ms(instant: SQL): SQL {
  return sql`(extract(epoch from ${instant}) * 1000)::float8`;
}
