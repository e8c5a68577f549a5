import { bigint, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, merchantId } from './columns.ts';

/** Requests of an app that used a part of the schema, by day and operation. Of executed operations only. */
export const schemaUsage = pgTable(
  'schema_usage',
  {
    merchantId: merchantId(),
    authorizedAppId: uuid('authorized_app_id').notNull(),
    /** The start of the day in UTC. */
    day: instant('day').notNull(),
    /** A schema coordinate such as `Product.name`, `Query.listProduct(id:)` or `ProductTypeEnum.DIGITAL`. */
    coordinate: text('coordinate').notNull(),
    /** See `client_operation`; empty for operations that are not kept there. */
    operation: text('operation').notNull(),
    requests: bigint('requests', { mode: 'number' }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.authorizedAppId, t.day, t.coordinate, t.operation] }),
    // The removal of old counts reads all merchants in order of time.
    index('schema_usage_day').on(t.day, t.merchantId),
  ],
);

/** A GraphQL operation that an app sends, without the values in it: a few for each app. */
export const clientOperation = pgTable(
  'client_operation',
  {
    merchantId: merchantId(),
    authorizedAppId: uuid('authorized_app_id').notNull(),
    /** The first 16 hex digits of the SHA-256 of the text. */
    operation: text('operation').notNull(),
    /** Null for an operation without a name. */
    name: text('name'),
    /** The operation and its fragments on one line. Strings are empty and numbers are 0. */
    text: text('text').notNull(),
    /** The start of the last day in UTC. */
    lastUsedOn: instant('last_used_on').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.authorizedAppId, t.operation] }),
    // The removal of old operations reads all merchants in order of time.
    index('client_operation_last_used_on').on(t.lastUsedOn, t.merchantId),
  ],
);
