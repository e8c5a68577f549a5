import { sql } from 'drizzle-orm';
import { boolean, index, integer, text, uuid } from 'drizzle-orm/pg-core';
import { document, instant } from './columns.ts';
import { changeRecordTypeEnum } from './generated/enums.ts';
import { recordTable } from './table.ts';

/**
 * A revert of more records than one transaction takes back, in slices. `bulk_operation` has a row with the same id, which
 * counts the records.
 */
export const revertRun = recordTable(
  'revert_run',
  {
    /** What is taken back: all changes of a change set, or those of one transaction in it. */
    revertedChangeSetId: uuid('reverted_change_set_id').notNull(),
    revertedTransactionId: uuid('reverted_transaction_id'),
    /** The change set of the changes that the revert makes. This and the next columns are those of `change_set`. */
    changeSetId: uuid('change_set_id').notNull(),
    authorizedAppId: uuid('authorized_app_id'),
    operation: text('operation').notNull(),
    requestId: text('request_id'),
    idempotencyKey: text('idempotency_key'),
    actor: text('actor'),
    /** The last record of the slices that are done, in the order of types and ids. Null before the first. */
    lastRecordType: text('last_record_type', { enum: changeRecordTypeEnum }),
    lastRecordId: uuid('last_record_id'),
    isEnded: boolean('is_ended').notNull().default(false),
    /** Members that were not taken back, because they were changed after the revert had begun. The first ones are listed. */
    conflictCount: integer('conflict_count').notNull().default(0),
    conflicts: document<{ path: string; message: string }[]>('conflicts'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    index('revert_run_reverted').on(t.merchantId, t.revertedChangeSetId, t.id),
    index('revert_run_running')
      .on(t.merchantId, t.id)
      .where(sql`not is_ended`),
  ],
);
