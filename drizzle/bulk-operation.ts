import { sql } from 'drizzle-orm';
import { boolean, check, foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { decimal, id, instant, merchantId } from './columns.ts';
import { variant } from './product.ts';
import { variantValue } from './variant-type.ts';

/** What became of a bulkUpdateProducts request. Its images are counted from their rows. */
export const bulkOperation = pgTable(
  'bulk_operation',
  {
    merchantId: merchantId(),
    id: id(),
    total: integer('total').notNull(),
    created: integer('created').notNull(),
    updated: integer('updated').notNull(),
    deleted: integer('deleted').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.id] })],
);

/**
 * A picture that a bulk request named by its address, until it is fetched or given up: one of a variant,
 * or the thumbnail of a variant value.
 */
export const bulkOperationImage = pgTable(
  'bulk_operation_image',
  {
    merchantId: merchantId(),
    id: id(),
    bulkOperationId: uuid('bulk_operation_id').notNull(),
    productId: uuid('product_id'),
    variantId: uuid('variant_id'),
    variantTypeId: uuid('variant_type_id'),
    variantValueId: uuid('variant_value_id'),
    /** Where in the request it stood. */
    path: text('path').notNull(),
    url: text('url').notNull(),
    isMain: boolean('is_main').notNull(),
    isVideo: boolean('is_video'),
    order: decimal('order').notNull(),
    state: text('state', { enum: ['PENDING', 'DONE', 'FAILED'] })
      .notNull()
      .default('PENDING'),
    attempts: integer('attempts').notNull().default(0),
    /** Before it nobody begins an attempt: there is a pause after one, and time for one that is under way. */
    nextAttemptAt: instant('next_attempt_at').notNull().defaultNow(),
    error: text('error'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    index('bulk_operation_image_operation').on(t.merchantId, t.bulkOperationId),
    index('bulk_operation_image_variant').on(t.merchantId, t.variantId),
    index('bulk_operation_image_value').on(t.merchantId, t.variantValueId),
    // For the worker, which asks all merchants for what is due.
    index('bulk_operation_image_due')
      .on(t.nextAttemptAt, t.merchantId)
      .where(sql`state = 'PENDING'`),
    check('bulk_operation_image_target', sql`num_nonnulls(variant_id, variant_value_id) = 1`),
    foreignKey({
      name: 'bulk_operation_image_operation_fk',
      columns: [t.merchantId, t.bulkOperationId],
      foreignColumns: [bulkOperation.merchantId, bulkOperation.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'bulk_operation_image_variant_fk',
      columns: [t.merchantId, t.variantId],
      foreignColumns: [variant.merchantId, variant.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'bulk_operation_image_value_fk',
      columns: [t.merchantId, t.variantTypeId, t.variantValueId],
      foreignColumns: [variantValue.merchantId, variantValue.variantTypeId, variantValue.id],
    }).onDelete('cascade'),
  ],
);
