import { boolean, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { document, recordColumns } from './columns.ts';
import { htmlMetaDataTargetTypeEnum } from './generated/enums.ts';
import { recordTable } from './table.ts';

type MetadataTranslation = { locale: string; slug?: string | null; [member: string]: unknown };

/** The index that makes a slug unique among the pages of a merchant. */
export const SLUG_INDEX = 'html_meta_data_slug_key';

/**
 * Metadata of the page of a record. One table for all kinds of records, because a slug is unique among all pages of a
 * merchant.
 */
export const pageMetadata = recordTable(
  'html_meta_data',
  {
    targetId: uuid('target_id').notNull(),
    targetType: text('target_type', { enum: htmlMetaDataTargetTypeEnum }).notNull(),
    slug: text('slug').notNull(),
    pageTitle: text('page_title'),
    description: text('description'),
    canonicals: text('canonicals').array(),
    disableIndex: boolean('disable_index'),
    redirectTo: text('redirect_to'),
    metadataOverrides: document<Record<string, unknown>[]>('metadata_overrides'),
    translations: document<MetadataTranslation[]>('translations'),
    ...recordColumns(),
  },
  (t) => [
    // In byte order: for equality, for prefixes and for the pages of an export.
    uniqueIndex(SLUG_INDEX).on(t.merchantId, t.slug.op('text_pattern_ops')),
    uniqueIndex('html_meta_data_target_key').on(t.merchantId, t.targetId),
  ],
);
