import { index, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { document, instant, merchantId } from './columns.ts';
import { pgTable } from './table.ts';

/**
 * The number of an app's requests that used a part of the schema, for each day and operation. Refused requests do not
 * count.
 */
export const schemaUsage = pgTable(
  'schema_usage',
  {
    merchantId: merchantId(),
    authorizedAppId: uuid('authorized_app_id').notNull(),
    /** The start of the day in UTC. */
    day: instant('day').notNull(),
    /** The id of the operation in `client_operation`; empty for all operations whose text is not kept there. */
    operation: text('operation').notNull(),
    /**
     * The number of requests by schema coordinate, such as `Product.name`, `Query.listProduct(id:)` or
     * `ProductTypeEnum.DIGITAL`. One value for an operation and day, because a row for each coordinate would be some
     * thirty rows for a page of products.
     */
    requests: document<Readonly<Record<string, number>>>('requests').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.authorizedAppId, t.day, t.operation] }),
    // The removal of old counts reads all merchants in order of time.
    index('schema_usage_day').on(t.day, t.merchantId),
  ],
);

/**
 * The text of a GraphQL operation that an app has sent. Literal values are removed from it, because they may be
 * personal data. About the last hundred operations of each app are kept.
 */
export const clientOperation = pgTable(
  'client_operation',
  {
    merchantId: merchantId(),
    authorizedAppId: uuid('authorized_app_id').notNull(),
    /** Identifies the operation: the first 16 hexadecimal digits of the SHA-256 hash of `text`. */
    operation: text('operation').notNull(),
    /** The name that the client gave the operation; null if it has none. */
    name: text('name'),
    /** The operation and its fragments on one line. All strings are empty and all numbers are 0. */
    text: text('text').notNull(),
    /** The start of the last day, in UTC, on which the app sent the operation. */
    lastUsedOn: instant('last_used_on').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.authorizedAppId, t.operation] }),
    // The removal of old operations reads all merchants in order of time.
    index('client_operation_last_used_on').on(t.lastUsedOn, t.merchantId),
  ],
);
