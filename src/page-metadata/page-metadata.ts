import { sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { pageMetadata } from '../../drizzle/page-metadata.ts';
import { document } from '../db/read/fields.ts';
import { type JsonExpression, type SqlScope, projection } from '../db/read/projection.ts';
import { hasOne } from '../db/read/relations.ts';
import type { HtmlMetaData, HtmlMetaDataOverride } from '../graphql/generated/types.ts';

export const pageMetadataProjection = projection<HtmlMetaData>()(pageMetadata, {
  metadataOverrides: (row, scope) => document<HtmlMetaDataOverride[]>(scope, row.metadataOverrides),
});

/** The page metadata of the record with the id `target`. */
export function pageMetadataOf(scope: SqlScope, target: AnyPgColumn): JsonExpression<HtmlMetaData | null> {
  return hasOne(scope, pageMetadataProjection, (row) => [sql`${row.targetId} = ${target}`]);
}
