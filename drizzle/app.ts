import {
  boolean,
  doublePrecision,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { id, instant, merchantId, timestamps } from './columns.ts';
import { merchant } from './merchant.ts';

export const authorizedApp = pgTable(
  'authorized_app',
  {
    merchantId: merchantId(),
    id: id(),
    name: text('name').notNull(),
    email: text('email'),
    partnerId: text('partner_id').notNull(),
    storeAppId: text('store_app_id').notNull(),
    salesChannelId: uuid('sales_channel_id'),
    scopes: text('scopes').array().notNull(),
    supportsMultipleInstallation: boolean('supports_multiple_installation').notNull().default(false),
    /** Begins with an encoding of the merchant, so that a login finds it by merchant and client id. */
    clientId: text('client_id').notNull(),
    /** AES-256-GCM under SECRET_KEY: webhooks are signed with the secret, so a hash would not do. */
    clientSecretEncrypted: text('client_secret_encrypted').notNull(),
    /** The secret before the last rotation, valid beside the new one until then; null when there is none. */
    formerSecretEncrypted: text('former_secret_encrypted'),
    formerSecretUntil: instant('former_secret_until'),
    addedDate: instant('added_date').notNull(),
    revokedAt: instant('revoked_at'),
    ...timestamps(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    uniqueIndex('authorized_app_client_id_key').on(t.merchantId, t.clientId),
    foreignKey({ name: 'authorized_app_merchant_fk', columns: [t.merchantId], foreignColumns: [merchant.merchantId] }),
  ],
);

export const accessToken = pgTable(
  'access_token',
  {
    merchantId: merchantId(),
    /** Lower-case hex SHA-256 of the token: a copy of this table opens nothing. */
    hash: text('hash').notNull(),
    authorizedAppId: uuid('authorized_app_id').notNull(),
    scopes: text('scopes').array().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.hash] }),
    index('access_token_expiry').on(t.merchantId, t.expiresAt),
    index('access_token_app').on(t.merchantId, t.authorizedAppId),
    foreignKey({
      name: 'access_token_app_fk',
      columns: [t.merchantId, t.authorizedAppId],
      foreignColumns: [authorizedApp.merchantId, authorizedApp.id],
    }).onDelete('cascade'),
  ],
);

/** What an app has spent of its points on all nodes: see src/http/admission/point-limiter.ts. */
export const appPointBucket = pgTable(
  'app_point_bucket',
  {
    merchantId: merchantId(),
    authorizedAppId: uuid('authorized_app_id').notNull(),
    /**
     * When the bucket will be full again, in milliseconds since the epoch. A number: tenant tables are updated with
     * immutable expressions only.
     */
    fullAtMs: doublePrecision('full_at_ms').notNull(),
    /** Time of the last statement that added to it. */
    addedAtMs: doublePrecision('added_at_ms').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.authorizedAppId] }),
    foreignKey({
      name: 'app_point_bucket_app_fk',
      columns: [t.merchantId, t.authorizedAppId],
      foreignColumns: [authorizedApp.merchantId, authorizedApp.id],
    }).onDelete('cascade'),
  ],
);
