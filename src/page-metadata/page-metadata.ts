import { sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { htmlMetaData } from '../../drizzle/page-metadata.ts';
import {
  boolean,
  document,
  type Expression,
  id,
  one,
  type Reader,
  recordFields,
  shape,
  text,
  texts,
  word,
} from '../db/read/projection.ts';
import type { HtmlMetaData, HtmlMetaDataOverride, HtmlMetaDataTranslation } from '../graphql/generated/types.ts';

export const metaDataShape = shape<HtmlMetaData>()(htmlMetaData, {
  ...recordFields(),
  id: (row) => id(row.id),
  slug: (row) => text(row.slug),
  pageTitle: (row) => text(row.pageTitle),
  description: (row) => text(row.description),
  canonicals: (row) => texts(row.canonicals),
  disableIndex: (row) => boolean(row.disableIndex),
  redirectTo: (row) => text(row.redirectTo),
  targetId: (row) => id(row.targetId),
  targetType: (row) => word(row.targetType),
  metadataOverrides: (row, read) => document<HtmlMetaDataOverride[]>(read, row.metadataOverrides),
  translations: (row, read) => document<HtmlMetaDataTranslation[]>(read, row.translations),
});

/** The metadata of the record whose id is `target`. */
export function metaDataOf(read: Reader, target: AnyPgColumn): Expression<HtmlMetaData | null> {
  return one(read, metaDataShape, (row) => [sql`${row.targetId} = ${target}`]);
}
