import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { productBrand } from '../../../drizzle/brand.ts';
import { productTag } from '../../../drizzle/tag.ts';
import { variantType, variantValue } from '../../../drizzle/variant-type.ts';
import { projection, type TenantTable, text } from '../../db/read/projection.ts';

/** A record that the document refers to by name instead of id. */
export type WithName = { name: string };

/** The selection that reads the name only. */
export const NAME = { name: {} };

const nameShape = <Table extends TenantTable & { name: AnyPgColumn }>(table: Table) =>
  projection<WithName>()(table, { name: (row) => text(row.name as never) });
export const tagShape = nameShape(productTag);
export const brandShape = nameShape(productBrand);
export const typeShape = nameShape(variantType);
export const valueShape = nameShape(variantValue);

export type Deletable = TenantTable & { id: AnyPgColumn; deleted: AnyPgColumn };

export function isNotDeleted(row: Deletable): SQL[] {
  return [sql`not ${row.deleted}`];
}
