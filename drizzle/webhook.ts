import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  pgSequence,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { authorizedApp } from './app.ts';
import { document, instant, merchantId, recordForeignKey, transactionId } from './columns.ts';
import { webhookDeliveryStatusEnum, webhookStatusEnum } from './generated/enums.ts';
import { pgTable, recordTable } from './table.ts';

export const webhookScopes = [
  'store/customer/created',
  'store/customer/updated',
  'store/customer/erased',
  'store/product/created',
  'store/product/updated',
  'store/product/deleted',
  'store/stock/created',
  'store/stock/updated',
  'store/stock/held',
  'store/stock/released',
] as const;

export type WebhookScope = (typeof webhookScopes)[number];

/** `truncated` of a payload reduced to its id. */
export const ALL_TRUNCATED = '["*"]';

/** The transaction-local setting from which deliveries take their `traceparent`. */
export const TRACEPARENT_SETTING = 'commerce.traceparent';

/**
 * One request of a delivery, as it is stored and answered. The ledger also logs requests that were interrupted, and
 * reasons why none was made: such entries lack the members of a response.
 */
export type DeliveryAttempt = {
  at: number;
  statusCode: number | null;
  /** Why the attempt failed; null only if it succeeded. */
  error: string | null;
  durationMs: number | null;
  /** The beginning of the body, at most 2 KiB. */
  responseBody?: string | null;
  responseHeaders?: { name: string; value: string }[] | null;
  /** The plan at the end of the attempt, by the worker's clock. */
  nextAttemptAt?: number | null;
};

/** Null: the merchant has no history, or the member is too large. `previous` is a JSON text: former values by paths. */
export type DeliveryChanges = { readonly changedPaths: readonly string[] | null; readonly previous: string | null };

/** Beside `data`: `reason` of a released hold; `delta`, `reason` and `reference` of an updated stock count. */
export type DeliveryDetails = Readonly<Record<string, number | string | null>>;

/**
 * Time of the last notification of the worker, in milliseconds. A sequence, because it is written outside of
 * transactions: writers do not wait for each other.
 */
export const webhookWakeUp = pgSequence('webhook_wake_up');

export const webhook = recordTable(
  'webhook',
  {
    authorizedAppId: uuid('authorized_app_id').notNull(),
    scope: text('scope', { enum: webhookScopes }).notNull(),
    endpoint: text('endpoint').notNull(),
    /** Only events of these channels are sent. If it is empty, those of all channels are. */
    salesChannelIds: uuid('sales_channel_ids')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** Whether the events name the changed members and their former values. */
    includeChanges: boolean('include_changes').notNull().default(false),
    status: text('status', { enum: webhookStatusEnum }).notNull().default('ACTIVE'),
    pausedAt: instant('paused_at'),
    givenUpInARow: integer('given_up_in_a_row').notNull().default(0),
    /** The delivery by which the paused webhook tries its endpoint, and when it was chosen. */
    probeId: uuid('probe_id'),
    probedAt: instant('probed_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('webhook_scope_key').on(t.merchantId, t.authorizedAppId, t.scope),
    recordForeignKey('webhook_app_fk', t, t.authorizedAppId, authorizedApp).onDelete('cascade'),
  ],
);

/**
 * The events of a record for an app: their number, and the last transaction that changed the record, so that further
 * changes in that transaction update the same event. Rows of holds are removed together with the hold; those of other
 * records stay, because a removed record can return with its id.
 */
export const webhookRecord = pgTable(
  'webhook_record',
  {
    merchantId: merchantId(),
    authorizedAppId: uuid('authorized_app_id').notNull(),
    recordId: uuid('record_id').notNull(),
    sequence: integer('sequence').notNull(),
    transactionId: transactionId('transaction_id').notNull(),
    /** Distinguishes transactions of several servers, which can have the same id. In microseconds. */
    transactionBeganAt: timestamp('transaction_began_at', { withTimezone: true }).notNull(),
    action: text('action', {
      enum: ['created', 'updated', 'deleted', 'restored', 'erased', 'held', 'released'],
    }).notNull(),
    /** Bits of the actions that the app listened to at the last change, as `webhook_action_bit` has them. */
    listens: integer('listens').notNull(),
    /**
     * Whether the last transaction's event has a number and a row in the ledger. False if the app did not listen to it.
     */
    isCounted: boolean('is_counted').notNull(),
    deliveryId: uuid('delivery_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.authorizedAppId, t.recordId] })],
);

/**
 * The product changes of transactions in progress. At its end a transaction writes one event per product, with the
 * final state, and deletes its rows; no other transaction ever sees them.
 */
export const webhookChange = pgTable(
  'webhook_change',
  {
    merchantId: merchantId(),
    transactionId: transactionId('transaction_id').notNull(),
    productId: uuid('product_id').notNull(),
    /** The actions in their order. Those that do not change the action of the event are left out. */
    actions: text('actions').array().notNull(),
    /** Sales channels that the product left: their listeners get the event too. */
    channelsLeft: uuid('channels_left').array().notNull(),
    /** True for the first row of the transaction, whose constraint trigger writes the events. */
    isFirst: boolean('is_first').notNull(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.transactionId, t.productId] })],
);

/**
 * The ledger: one row per event and webhook. Only the ledger decides whether a request may be made; a job in the queue
 * only wakes the worker.
 */
export const webhookDelivery = recordTable(
  'webhook_delivery',
  {
    webhookId: uuid('webhook_id').notNull(),
    authorizedAppId: uuid('authorized_app_id').notNull(),
    scope: text('scope', { enum: webhookScopes }).notNull(),
    /** The endpoint at the time of the event: a new endpoint of the webhook gets only later events. */
    endpoint: text('endpoint').notNull(),
    recordId: uuid('record_id').notNull(),
    sequence: integer('sequence').notNull(),
    /** The members of the event as JSON. Long texts are removed if it exceeds 1 MiB. */
    data: text('data').notNull(),
    details: document<DeliveryDetails>('details'),
    /** What the body has beside `data` if the webhook includes changes; null if it does not. */
    changes: document<DeliveryChanges>('changes'),
    /** Paths of the texts that were removed from `data`, and of members of `changes`; null if all is complete. */
    truncated: document<string[]>('truncated'),
    state: text('state', { enum: webhookDeliveryStatusEnum }).notNull().default('PENDING'),
    /**
     * Requests since the delivery was queued, counted before each is sent. 0 with `claimed_at`: the request under way
     * is to a former endpoint.
     */
    attempts: integer('attempts').notNull().default(0),
    /** Set while a request may be running. */
    claimedAt: instant('claimed_at'),
    /** The time of the next attempt; null if the webhook was paused at the event. */
    nextAttemptAt: instant('next_attempt_at'),
    /**
     * Whether the queue has a job for the delivery. On plain PostgreSQL a trigger adds the job together with the row.
     * On a cluster the default is false, and the relay sets the flag after it has added the job.
     */
    isQueued: boolean('is_queued').notNull().default(true),
    attemptLog: document<DeliveryAttempt[]>('attempt_log')
      .notNull()
      .default(sql`'[]'`),
    /** Whether the customer was erased: `data` has only ids and times, and no response of a receiver is kept. */
    isErased: boolean('is_erased').notNull().default(false),
    /**
     * Names the traced request that made the change (W3C Trace Context). The service sets it for the transaction, and
     * only if traces are sent.
     */
    traceparent: text('traceparent').default(sql.raw(`nullif(current_setting('${TRACEPARENT_SETTING}', true), '')`)),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    index('webhook_delivery_pending')
      .on(t.merchantId, t.webhookId, t.id)
      .where(sql`state = 'PENDING'`),
    // For lists and ranges of one app: another app may have nearly all deliveries of the merchant. The second index is
    // for lists and ranges of undelivered ones, and is small.
    index('webhook_delivery_app').on(t.merchantId, t.authorizedAppId, t.id),
    index('webhook_delivery_undelivered')
      .on(t.merchantId, t.authorizedAppId, t.id)
      .where(sql`state <> 'DELIVERED'`),
    // For lists of the failed deliveries of all apps.
    index('webhook_delivery_failed')
      .on(t.merchantId, t.id)
      .where(sql`state = 'FAILED'`),
    // Support and `explainWebhook` look for the deliveries of one record, latest first.
    index('webhook_delivery_record').on(t.merchantId, t.recordId, t.id),
    // The relay finds the deliveries by it that have no job yet. On plain PostgreSQL it is empty.
    index('webhook_delivery_unqueued')
      .on(t.merchantId, t.id)
      .where(sql`not is_queued and next_attempt_at is not null`),
    // The removal of old deliveries reads all merchants in order of time.
    index('webhook_delivery_age')
      .on(t.state, t.createdAt, t.merchantId)
      .where(sql`state <> 'PENDING'`),
  ],
);
