import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { productBrand } from '../../../drizzle/brand.ts';
import { productTag } from '../../../drizzle/tag.ts';
import { variantType, variantValue } from '../../../drizzle/variant-type.ts';
import { projection, type TenantTable } from '../../db/read/projection.ts';
import { text } from '../../db/read/fields.ts';

/** A record that the document refers to by name instead of id. */
export type WithName = { name: string };

/** The selection that reads the name only. */
export const NAME = { name: {} };

const nameProjection = <Table extends TenantTable & { name: AnyPgColumn }>(table: Table) =>
  projection<WithName>()(table, { name: (row) => text(row.name as never) });
export const tagProjection = nameProjection(productTag);
export const brandProjection = nameProjection(productBrand);
export const typeProjection = nameProjection(variantType);
export const valueProjection = nameProjection(variantValue);

export type Deletable = TenantTable & { id: AnyPgColumn; deleted: AnyPgColumn };

export function isNotDeleted(row: Deletable): SQL[] {
  return [sql`not ${row.deleted}`];
}
