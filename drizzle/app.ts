import { boolean, doublePrecision, foreignKey, index, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { id, instant, merchantId, recordColumns, recordForeignKey } from './columns.ts';
import { merchant } from './merchant.ts';
import { pgTable, recordTable } from './table.ts';

export const authorizedApp = recordTable(
  'authorized_app',
  {
    name: text('name').notNull(),
    email: text('email'),
    partnerId: text('partner_id').notNull(),
    storeAppId: text('store_app_id').notNull(),
    salesChannelId: uuid('sales_channel_id'),
    scopes: text('scopes').array().notNull(),
    supportsMultipleInstallation: boolean('supports_multiple_installation').notNull().default(false),
    /** Starts with an encoding of the merchant's id, so that a login finds the row by merchant and client id. */
    clientId: text('client_id').notNull(),
    /** Encrypted with AES-256-GCM under SECRET_KEY. Not hashed, because webhooks are signed with the secret. */
    clientSecretEncrypted: text('client_secret_encrypted').notNull(),
    /** The secret before the last rotation, still accepted until the time below; null when there is none. */
    formerSecretEncrypted: text('former_secret_encrypted'),
    formerSecretUntil: instant('former_secret_until'),
    addedDate: instant('added_date').notNull(),
    revokedAt: instant('revoked_at'),
    /** Written at most every five minutes for each token; see src/app/credentials/record-use.ts. */
    lastUsedAt: instant('last_used_at'),
    ...recordColumns(),
  },
  (t) => [
    uniqueIndex('authorized_app_client_id_key').on(t.merchantId, t.clientId),
    foreignKey({ name: 'authorized_app_merchant_fk', columns: [t.merchantId], foreignColumns: [merchant.merchantId] }),
  ],
);

export const accessToken = pgTable(
  'access_token',
  {
    merchantId: merchantId(),
    /** Lower-case hex SHA-256 of the token, so that a copy of this table contains no usable token. */
    hash: text('hash').notNull(),
    /** The id by which the token is listed and revoked. It is not derived from the token. */
    id: id(),
    authorizedAppId: uuid('authorized_app_id').notNull(),
    scopes: text('scopes').array().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.hash] }),
    uniqueIndex('access_token_id_key').on(t.merchantId, t.id),
    index('access_token_expiry').on(t.merchantId, t.expiresAt),
    index('access_token_app').on(t.merchantId, t.authorizedAppId),
    recordForeignKey('access_token_app_fk', t, t.authorizedAppId, authorizedApp).onDelete('cascade'),
  ],
);

/** One-time codes that are exchanged for an access token at the token endpoint. */
export const signInCode = pgTable(
  'sign_in_code',
  {
    merchantId: merchantId(),
    /** Lower-case hex SHA-256 of the code, so that a copy of this table contains no usable code. */
    hash: text('hash').notNull(),
    authorizedAppId: uuid('authorized_app_id').notNull(),
    /** The scopes of the token for which the code is exchanged. */
    scopes: text('scopes').array().notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.hash] }),
    recordForeignKey('sign_in_code_app_fk', t, t.authorizedAppId, authorizedApp).onDelete('cascade'),
  ],
);

/** The points that an app has spent on all nodes; see src/http/admission/point-limiter.ts. */
export const appPointBucket = pgTable(
  'app_point_bucket',
  {
    merchantId: merchantId(),
    authorizedAppId: uuid('authorized_app_id').notNull(),
    /**
     * When the bucket is full again, in milliseconds since the epoch. A number, because Citus allows only immutable
     * expressions in updates of distributed tables.
     */
    fullAtMs: doublePrecision('full_at_ms').notNull(),
    /** Time of the last statement that spent points. */
    addedAtMs: doublePrecision('added_at_ms').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.authorizedAppId] }),
    recordForeignKey('app_point_bucket_app_fk', t, t.authorizedAppId, authorizedApp).onDelete('cascade'),
  ],
);
