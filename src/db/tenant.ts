import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

/** Every table a statement touches is asked for this merchant's rows by name: see `of`. */
export type Tenant = { readonly merchantId: string };

/** The condition that stands first beside each table. */
export function of(tenant: Tenant, table: { merchantId: AnyPgColumn }): SQL {
  return sql`${table.merchantId} = ${tenant.merchantId}`;
}

/** The same in a text that is kept for all merchants: the statement's first parameter is the merchant. */
export function ofFirst(table: { merchantId: AnyPgColumn }): SQL {
  return sql`${table.merchantId} = ${sql.raw('$1')}`;
}
