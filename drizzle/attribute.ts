import { sql } from 'drizzle-orm';
import { index, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { document, position, recordColumns, recordForeignKey, sortIndexes } from './columns.ts';
import { productAttributeTypeEnum } from './generated/enums.ts';
import { recordTable } from './table.ts';

type TableTemplateDocument = { columns: { id: string; name: string }[]; rows: { id: string; name: string }[] };
type AttributeTranslationDocument = {
  locale: string;
  name?: string | null;
  description?: string | null;
  options?: { id: string; name?: string | null }[] | null;
};

export const productAttribute = recordTable(
  'product_attribute',
  {
    name: text('name').notNull(),
    type: text('type', { enum: productAttributeTypeEnum }).notNull(),
    description: text('description'),
    tableTemplate: document<TableTemplateDocument>('table_template'),
    translations: document<AttributeTranslationDocument[]>('translations'),
    ...recordColumns(),
  },
  (t) => [
    uniqueIndex('product_attribute_name_key')
      .on(t.merchantId, t.name)
      .where(sql`not deleted`),
    ...sortIndexes('product_attribute', t),
  ],
);

export const productAttributeOption = recordTable(
  'product_attribute_option',
  {
    attributeId: uuid('attribute_id').notNull(),
    position: position(),
    name: text('name').notNull(),
    colorCode: text('color_code'),
    thumbnailImageId: text('thumbnail_image_id'),
    ...recordColumns(),
  },
  (t) => [
    // Finds the live options of an attribute, and removed ones by their name, among any number of removed ones.
    index('product_attribute_option_name').on(t.merchantId, t.attributeId, t.deleted, t.name, t.id),
    recordForeignKey('product_attribute_option_attribute_fk', t, t.attributeId, productAttribute).onDelete('cascade'),
  ],
);
