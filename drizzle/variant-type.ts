import { sql } from 'drizzle-orm';
import { index, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { document, position, recordColumns, recordForeignKey, sortIndexes } from './columns.ts';
import { variantSelectionTypeEnum } from './generated/enums.ts';
import { recordTable } from './table.ts';

type VariantTypeTranslationDocument = {
  locale: string;
  name?: string | null;
  values?: { id: string; name?: string | null }[] | null;
};

export const variantType = recordTable(
  'variant_type',
  {
    name: text('name').notNull(),
    selectionType: text('selection_type', { enum: variantSelectionTypeEnum }).notNull(),
    translations: document<VariantTypeTranslationDocument[]>('translations'),
    ...recordColumns(),
  },
  (t) => [
    uniqueIndex('variant_type_name_key')
      .on(t.merchantId, t.name)
      .where(sql`not deleted`),
    ...sortIndexes('variant_type', t),
  ],
);

export const variantValue = recordTable(
  'variant_value',
  {
    variantTypeId: uuid('variant_type_id').notNull(),
    position: position(),
    name: text('name').notNull(),
    colorCode: text('color_code'),
    thumbnailImageId: text('thumbnail_image_id'),
    /** The client's own key, as in bulkUpdateProducts. */
    sourceId: text('source_id'),
    ...recordColumns(),
  },
  (t) => [
    // A foreign key of `bulk_operation_image` needs it.
    uniqueIndex('variant_value_type_key').on(t.merchantId, t.variantTypeId, t.id),
    // Finds removed values by their name, among any number of them.
    index('variant_value_removed')
      .on(t.merchantId, t.variantTypeId, t.name, t.id)
      .where(sql`deleted`),
    uniqueIndex('variant_value_name_key')
      .on(t.merchantId, t.variantTypeId, t.name)
      .where(sql`not deleted`),
    recordForeignKey('variant_value_type_fk', t, t.variantTypeId, variantType).onDelete('cascade'),
  ],
);
