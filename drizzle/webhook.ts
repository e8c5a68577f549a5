import { sql } from 'drizzle-orm';
import {
  boolean,
  foreignKey,
  index,
  integer,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { authorizedApp } from './app.ts';
import { document, id, instant, merchantId, transactionId } from './columns.ts';

export const webhookScopes = [
  'store/customer/created',
  'store/customer/updated',
  'store/product/created',
  'store/product/updated',
  'store/product/deleted',
  'store/stock/created',
  'store/stock/updated',
] as const;

/** One request of a delivery, as it is stored and answered. */
export type DeliveryAttempt = {
  at: number;
  statusCode: number | null;
  error: string | null;
  durationMs: number | null;
};

/**
 * Each counts the webhooks that were ever registered for one kind of record. Until the first, the
 * triggers on those records are not even called: a sequence is read without a query.
 */
export const customerWebhooks = pgSequence('customer_webhooks');
export const productWebhooks = pgSequence('product_webhooks');
export const stockWebhooks = pgSequence('stock_webhooks');

/**
 * When the worker was last called, in milliseconds: outside of transactions, so that writers do not wait for each
 * other.
 */
export const webhookWakeUp = pgSequence('webhook_wake_up');

export const webhook = pgTable(
  'webhook',
  {
    merchantId: merchantId(),
    id: id(),
    authorizedAppId: uuid('authorized_app_id').notNull(),
    scope: text('scope', { enum: webhookScopes }).notNull(),
    endpoint: text('endpoint').notNull(),
    /** Empty: events of all channels. */
    salesChannelIds: uuid('sales_channel_ids')
      .array()
      .notNull()
      .default(sql`'{}'`),
    status: text('status', { enum: ['ACTIVE', 'PAUSED'] })
      .notNull()
      .default('ACTIVE'),
    pausedAt: instant('paused_at'),
    givenUpInARow: integer('given_up_in_a_row').notNull().default(0),
    createdAt: instant('created_at')
      .notNull()
      .default(sql`now()`),
    updatedAt: instant('updated_at')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    uniqueIndex('webhook_scope_key').on(t.merchantId, t.authorizedAppId, t.scope),
    foreignKey({
      name: 'webhook_app_fk',
      columns: [t.merchantId, t.authorizedAppId],
      foreignColumns: [authorizedApp.merchantId, authorizedApp.id],
    }).onDelete('cascade'),
  ],
);

/**
 * What an app has been told of a record: how many events, and which in the last transaction that
 * changed it, so that further changes in the same one go into the same event.
 */
export const webhookRecord = pgTable(
  'webhook_record',
  {
    merchantId: merchantId(),
    authorizedAppId: uuid('authorized_app_id').notNull(),
    recordId: uuid('record_id').notNull(),
    sequence: integer('sequence').notNull(),
    transactionId: transactionId('transaction_id').notNull(),
    action: text('action', { enum: ['created', 'updated', 'deleted', 'restored'] }).notNull(),
    /** Bits of the actions that the app listened to at the last change: 1 created, 2 updated, 4 deleted. */
    listens: integer('listens').notNull(),
    /** The last transaction's event has a number and a row in the ledger. Without, the app did not listen to it. */
    isCounted: boolean('is_counted').notNull(),
    deliveryId: uuid('delivery_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.authorizedAppId, t.recordId] })],
);

/**
 * What became of products in a transaction that has not ended: at its end each is told of once, as it is
 * then. Nobody else ever sees a row.
 */
export const webhookChange = pgTable(
  'webhook_change',
  {
    merchantId: merchantId(),
    transactionId: transactionId('transaction_id').notNull(),
    productId: uuid('product_id').notNull(),
    /** In their order, without those that change nothing about what is told. */
    actions: text('actions').array().notNull(),
    /** Sales channels that the product was in before: who listens to a channel also learns that a product left it. */
    channelsLeft: uuid('channels_left').array().notNull(),
    /** The transaction's first, which sets off the telling. */
    isFirst: boolean('is_first').notNull(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.transactionId, t.productId] })],
);

/**
 * The ledger: one row for each event and webhook. It alone decides whether a request may still be
 * made. A job in the queue only says that somebody should look here.
 */
export const webhookDelivery = pgTable(
  'webhook_delivery',
  {
    merchantId: merchantId(),
    id: id(),
    webhookId: uuid('webhook_id').notNull(),
    authorizedAppId: uuid('authorized_app_id').notNull(),
    scope: text('scope', { enum: webhookScopes }).notNull(),
    /** As it was at the event: a webhook that is pointed elsewhere takes only what happens afterwards along. */
    endpoint: text('endpoint').notNull(),
    recordId: uuid('record_id').notNull(),
    sequence: integer('sequence').notNull(),
    /** At most 1 MiB, where texts can be left out. */
    data: text('data').notNull(),
    /** Paths of the texts that were left out of `data`; null when it is whole. */
    truncated: document<string[]>('truncated'),
    state: text('state', { enum: ['PENDING', 'DELIVERED', 'FAILED'] })
      .notNull()
      .default('PENDING'),
    /** Requests since the delivery was queued, counted before each goes out. */
    attempts: integer('attempts').notNull().default(0),
    /** Set while a request may be under way. */
    claimedAt: instant('claimed_at'),
    /** Null: the webhook was paused when the event happened. */
    nextAttemptAt: instant('next_attempt_at'),
    attemptLog: document<DeliveryAttempt[]>('attempt_log')
      .notNull()
      .default(sql`'[]'`),
    createdAt: instant('created_at')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    index('webhook_delivery_pending')
      .on(t.merchantId, t.webhookId, t.id)
      .where(sql`state = 'PENDING'`),
    // For the removal, which goes through all merchants by time.
    index('webhook_delivery_age')
      .on(t.state, t.createdAt, t.merchantId)
      .where(sql`state <> 'PENDING'`),
  ],
);
