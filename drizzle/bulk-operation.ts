import { sql } from 'drizzle-orm';
import { boolean, check, foreignKey, index, integer, text, uuid } from 'drizzle-orm/pg-core';
import { decimal, instant, recordForeignKey } from './columns.ts';
import { variant } from './product.ts';
import { variantValue } from './variant-type.ts';
import { recordTable } from './table.ts';

/** The result of a bulkUpdateProducts request. Its images are counted from bulk_operation_image. */
export const bulkOperation = recordTable(
  'bulk_operation',
  {
    total: integer('total').notNull(),
    created: integer('created').notNull(),
    updated: integer('updated').notNull(),
    deleted: integer('deleted').notNull(),
    /** The app that sent the request. Null for a command. Its pictures are fetched until it is revoked. */
    authorizedAppId: uuid('authorized_app_id'),
    /** The change set of the request, and the transaction of the operation in it. Null for operations before both. */
    changeSetId: uuid('change_set_id'),
    changeTransactionId: uuid('change_transaction_id'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [index('bulk_operation_change_set').on(t.merchantId, t.changeSetId)],
);

/** An image that a bulk request named by its address: of a variant, or the thumbnail of a variant value. */
export const bulkOperationImage = recordTable(
  'bulk_operation_image',
  {
    bulkOperationId: uuid('bulk_operation_id').notNull(),
    productId: uuid('product_id'),
    variantId: uuid('variant_id'),
    variantTypeId: uuid('variant_type_id'),
    variantValueId: uuid('variant_value_id'),
    /** The path of the address in the request. */
    path: text('path').notNull(),
    url: text('url').notNull(),
    isMain: boolean('is_main').notNull(),
    isVideo: boolean('is_video'),
    order: decimal('order').notNull(),
    /**
     * STORED: the variant had the image already when the request was accepted. Nothing is fetched for such a row. It keeps
     * the order of the image and whether it is the main one, as the request has them, for a request that fetches other
     * images of the variant. It is not counted, and the next request with images of the variant deletes it.
     */
    state: text('state', { enum: ['PENDING', 'DONE', 'FAILED', 'STORED'] })
      .notNull()
      .default('PENDING'),
    attempts: integer('attempts').notNull().default(0),
    /**
     * Earliest time of the next attempt: after the pause that follows an attempt, and after the time that a running
     * attempt may take.
     */
    nextAttemptAt: instant('next_attempt_at').notNull().defaultNow(),
    error: text('error'),
    /** The id of the fetched image. Null until the image has been fetched. */
    imageId: text('image_id'),
    /** The `change_transaction` that attached the picture. Null until then, and for a merchant without a history. */
    changeTransactionId: uuid('change_transaction_id'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    index('bulk_operation_image_operation').on(t.merchantId, t.bulkOperationId),
    index('bulk_operation_image_variant').on(t.merchantId, t.variantId),
    index('bulk_operation_image_value').on(t.merchantId, t.variantValueId),
    // The worker reads the first pending image of each merchant, and claims those of one merchant in this order.
    index('bulk_operation_image_due')
      .on(t.merchantId, t.nextAttemptAt, t.id)
      .where(sql`state = 'PENDING'`),
    check('bulk_operation_image_target', sql`num_nonnulls(variant_id, variant_value_id) = 1`),
    recordForeignKey('bulk_operation_image_operation_fk', t, t.bulkOperationId, bulkOperation).onDelete('cascade'),
    recordForeignKey('bulk_operation_image_variant_fk', t, t.variantId, variant).onDelete('cascade'),
    foreignKey({
      name: 'bulk_operation_image_value_fk',
      columns: [t.merchantId, t.variantTypeId, t.variantValueId],
      foreignColumns: [variantValue.merchantId, variantValue.variantTypeId, variantValue.id],
    }).onDelete('cascade'),
  ],
);
