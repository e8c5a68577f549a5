import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { productBrand } from '../../../drizzle/brand.ts';
import type { Translation } from '../../../drizzle/columns.ts';
import { productTag } from '../../../drizzle/tag.ts';
import { variantType, variantValue } from '../../../drizzle/variant-type.ts';
import { projection, type TenantTable } from '../../db/read/projection.ts';
import { document } from '../../db/read/fields.ts';

/** A record that the document refers to by name instead of id. */
export type WithName = { name: string };

/** What a brand or category shows besides its name. An import uses it for a record that it creates. */
export type Texts = { description: string | null; translations: Translation[] | null };

/** The selection that reads the name only. */
export const NAME = { name: {} };
export const NAME_AND_TEXTS = { name: {}, description: {}, translations: {} };

export const tagProjection = projection<WithName>()(productTag, {});
export const brandProjection = projection<WithName & Texts>()(productBrand, {
  translations: (row, scope) => document<Translation[]>(scope, row.translations),
});
export const typeProjection = projection<WithName>()(variantType, {});
export const valueProjection = projection<WithName & { colorCode: string | null }>()(variantValue, {});

export type Deletable = TenantTable & { id: AnyPgColumn; deleted: AnyPgColumn };

export function isNotDeleted(row: Deletable): SQL[] {
  return [sql`not ${row.deleted}`];
}
