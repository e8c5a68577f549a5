import { boolean, pgTable } from 'drizzle-orm/pg-core';
import { changeColumns } from './change.ts';
import { document, id, instant, merchantId } from './columns.ts';

/** The values of a movement of a stock count by the names of the SDL. */
type MovedMembers = Record<string, unknown>;

/**
 * The view of all changes: the rows of `change`, and the movements of stock counts. A migration creates it, so this file
 * is not among the tables of index.ts. A table for Drizzle, since it is read like one.
 */
export const recordedChange = pgTable('recorded_change', {
  merchantId: merchantId(),
  id: id(),
  ...changeColumns(),
  createdAt: instant('created_at').notNull(),
  isMovement: boolean('is_movement').notNull(),
  /** Of a movement. Null of changes whose values are in `change_part`. */
  before: document<MovedMembers>('before'),
  after: document<MovedMembers>('after'),
});
