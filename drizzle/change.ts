import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { document, id, instant, merchantId, transactionId, withoutCase } from './columns.ts';
import { changeKindEnum, changeRecordTypeEnum } from './generated/enums.ts';
import { pgTable, recordTable } from './table.ts';

export type ChangeRecordType = (typeof changeRecordTypeEnum)[number];

/** DELETED and RESTORED: the column `deleted` was changed. STAMPED: only the time of the last save, or the version. */
const rowChanges = ['INSERTED', 'UPDATED', 'DELETED', 'RESTORED', 'REMOVED', 'STAMPED'] as const;

const recordType = () => text('record_type', { enum: changeRecordTypeEnum }).notNull();

/** Who made changes, and by what. Null for plain SQL, of which only the role and the application's name are known. */
const origin = () => ({
  authorizedAppId: uuid('authorized_app_id'),
  /** The SDL fields of the request's mutations, or the command, without its arguments. */
  operation: text('operation'),
  requestId: text('request_id'),
  idempotencyKey: text('idempotency_key'),
  revertsChangeSetId: uuid('reverts_change_set_id'),
  /**
   * The movements of stock counts that a revert takes back. Null if it takes back all movements of `revertsChangeSetId`, or
   * in the background all of the transaction that `revert_run` names.
   */
  revertsMovementIds: uuid('reverts_movement_ids').array(),
  /** The person on whose behalf the app says that it acts. */
  actor: text('actor'),
  databaseRole: text('database_role'),
  applicationName: text('application_name'),
});

/**
 * The transactions in progress that change records, each with the change set that its changes will belong to. The
 * service writes the row when it begins a transaction, and triggers write it for plain SQL. At the end of the
 * transaction a trigger writes the changes and deletes the row; no other transaction ever sees it.
 */
export const changeTransaction = pgTable(
  'change_transaction',
  {
    merchantId: merchantId(),
    /** Set by a trigger: on a cluster the transaction of the node with the rows is another one than the service's. */
    transactionId: transactionId('transaction_id').notNull(),
    id: id(),
    changeSetId: uuid('change_set_id').notNull(),
    /** The change sets of all requests that share the transaction. Null if there is one. */
    changeSetIds: uuid('change_set_ids').array(),
    ...origin(),
    /** Whether the merchant has a history. Set by a trigger. */
    isKept: boolean('is_kept').notNull().default(true),
    /** Whether the merchant's history has reached HISTORY_MAX_BYTES. Values are then not recorded. Set by a trigger. */
    isFull: boolean('is_full').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.transactionId] })],
);

/** What one request or one import changed, in one or several transactions. */
export const changeSet = recordTable(
  'change_set',
  {
    ...origin(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    index('change_set_reverts')
      .on(t.merchantId, t.revertsChangeSetId)
      .where(sql`reverts_change_set_id is not null`),
    // An erasure looks for the change sets of which the erased person is the actor.
    index('change_set_actor')
      .on(t.merchantId, withoutCase(sql`actor`))
      .where(sql`actor is not null`),
  ],
);

/** The columns of a change that a movement of a stock count has too. */
export const changeColumns = () => ({
  recordType: recordType(),
  recordId: uuid('record_id').notNull(),
  /** Counts the changes of the record from 1, without gaps. */
  number: integer('number').notNull(),
  kind: text('kind', { enum: changeKindEnum }).notNull(),
  /** The transaction, by the id that its row in `change_transaction` had. */
  changeTransactionId: uuid('change_transaction_id').notNull(),
  changeSetId: uuid('change_set_id').notNull(),
  authorizedAppId: uuid('authorized_app_id'),
  /** Whether the values were left out, because they or the whole history exceeded a limit. */
  truncated: boolean('truncated').notNull().default(false),
});

/**
 * One row for each record that a transaction changed. What changed is in `change_part`. The id is made from `createdAt`,
 * so that ids of a record's changes are in their order.
 */
export const change = recordTable(
  'change',
  {
    ...changeColumns(),
    /** Length of the values as JSON texts. */
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    index('change_record').on(t.merchantId, t.recordId, t.id),
    // All rows have a number above 0. PostgreSQL expects few rows in a change set, so for a revert, which reads a set in the
    // order of its records, it could take this index too, and read a million rows for each slice. Only a statement that
    // repeats the condition can use it.
    index('change_change_set')
      .on(t.merchantId, t.changeSetId, t.id)
      .where(sql`number > 0`),
    index('change_change_set_record').on(t.merchantId, t.changeSetId, t.recordType, t.recordId),
    index('change_truncated')
      .on(t.merchantId, t.changeSetId)
      .where(sql`truncated`),
    index('change_authorized_app')
      .on(t.merchantId, t.authorizedAppId, t.id)
      .where(sql`authorized_app_id is not null`),
    // `listChange` finds rare changes in these two: most are updates of products.
    index('change_record_type')
      .on(t.merchantId, t.recordType, t.id)
      .where(sql`record_type <> 'PRODUCT'`),
    index('change_deleted')
      .on(t.merchantId, t.kind, t.id)
      .where(sql`kind in ('DELETED', 'RESTORED')`),
    // `explainWebhook` looks for deleted webhooks, of which a merchant has few among millions of changes.
    index('change_webhook_deleted')
      .on(t.merchantId, t.id)
      .where(sql`record_type = 'WEBHOOK' and kind = 'DELETED'`),
  ],
);

/** The changed members of a row: its columns by the names of the SDL, or those of several rows by their ids. */
type ChangedMembers = Record<string, unknown>;

/**
 * What one statement changed in one record: in its own row if `part` is empty, and otherwise in rows that belong to it,
 * such as variants of a product, by their ids. A row that was created has no values in `before`, and a removed one none
 * in `after`.
 */
export const changePart = pgTable(
  'change_part',
  {
    merchantId: merchantId(),
    changeTransactionId: uuid('change_transaction_id').notNull(),
    recordId: uuid('record_id').notNull(),
    recordType: recordType(),
    /** The number of the statement in its transaction. */
    statement: integer('statement').notNull(),
    part: text('part').notNull(),
    /** What the statement did to the record's own row. Of a part, UPDATED or STAMPED. */
    rowChange: text('row_change', { enum: rowChanges }).notNull(),
    before: document<ChangedMembers>('before'),
    after: document<ChangedMembers>('after'),
    /**
     * Whether the values are not recorded: one of them has more than 256 KiB, or is JSON that PostgreSQL stores but
     * cannot read, or the merchant's history is full.
     */
    truncated: boolean('truncated').notNull().default(false),
  },
  (t) => [
    primaryKey({
      name: 'change_part_pk',
      columns: [t.merchantId, t.changeTransactionId, t.recordId, t.statement],
    }),
  ],
);

/** The number and time of each record's last change. The row's lock orders the changes of a record. */
export const changedRecord = pgTable(
  'changed_record',
  {
    merchantId: merchantId(),
    recordId: uuid('record_id').notNull(),
    recordType: recordType(),
    number: integer('number').notNull(),
    /** In milliseconds since 1970: Citus adds numbers in an update, but nothing to a time. */
    changedAtMs: bigint('changed_at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.recordId, t.recordType] })],
);
