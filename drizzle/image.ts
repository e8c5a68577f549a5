import { integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, merchantId } from './columns.ts';

/** A picture in the storage. Its object is written before its row, and removed after it. */
export const image = pgTable(
  'image',
  {
    merchantId: merchantId(),
    id: id(),
    /** Lower-case hex SHA-256 of the file as it was sent, so that the same file is kept once. */
    contentHash: text('content_hash').notNull(),
    /** Of the original as it is kept. */
    contentType: text('content_type', { enum: ['image/jpeg', 'image/png', 'image/webp'] }).notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** Since when the sweep finds nothing that refers to it. */
    unusedSince: instant('unused_since'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    uniqueIndex('image_content_key').on(t.merchantId, t.contentHash),
  ],
);
