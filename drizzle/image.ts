import { integer, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { recordTable } from './table.ts';

/** An image in the storage. Its object is written before the row and removed after it. */
export const image = recordTable(
  'image',
  {
    /** Lower-case hex SHA-256 of the sent file, so that equal files are stored once. */
    contentHash: text('content_hash').notNull(),
    /** The media type of the stored original. Size, width and height are of the stored original too. */
    contentType: text('content_type', { enum: ['image/jpeg', 'image/png', 'image/webp'] }).notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** Since when the sweep has found no reference to the image. */
    unusedSince: instant('unused_since'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('image_content_key').on(t.merchantId, t.contentHash)],
);
