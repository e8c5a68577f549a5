import { sql } from 'drizzle-orm';
import { foreignKey, index, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { document, id, merchantId, position, recordColumns, sortIndexes } from './columns.ts';
import { productAttributeTypeEnum } from './generated/enums.ts';
import { pgTable } from './table.ts';

type TableTemplateDocument = { columns: { id: string; name: string }[]; rows: { id: string; name: string }[] };
type AttributeTranslationDocument = {
  locale: string;
  name?: string | null;
  description?: string | null;
  options?: { id: string; name?: string | null }[] | null;
};

export const productAttribute = pgTable(
  'product_attribute',
  {
    merchantId: merchantId(),
    id: id(),
    name: text('name').notNull(),
    type: text('type', { enum: productAttributeTypeEnum }).notNull(),
    description: text('description'),
    tableTemplate: document<TableTemplateDocument>('table_template'),
    translations: document<AttributeTranslationDocument[]>('translations'),
    ...recordColumns(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    uniqueIndex('product_attribute_name_key')
      .on(t.merchantId, t.name)
      .where(sql`not deleted`),
    ...sortIndexes('product_attribute', t),
  ],
);

export const productAttributeOption = pgTable(
  'product_attribute_option',
  {
    merchantId: merchantId(),
    id: id(),
    attributeId: uuid('attribute_id').notNull(),
    position: position(),
    name: text('name').notNull(),
    colorCode: text('color_code'),
    thumbnailImageId: text('thumbnail_image_id'),
    ...recordColumns(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.id] }),
    // Finds the live options of an attribute, and removed ones by their name, among any number of removed ones.
    index('product_attribute_option_name').on(t.merchantId, t.attributeId, t.deleted, t.name, t.id),
    foreignKey({
      name: 'product_attribute_option_attribute_fk',
      columns: [t.merchantId, t.attributeId],
      foreignColumns: [productAttribute.merchantId, productAttribute.id],
    }).onDelete('cascade'),
  ],
);
