import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

/** Every table a statement touches is asked for this merchant's rows by name: see `of`. */
export type Tenant = { readonly merchantId: string };

/** The condition that stands first beside each table. */
export function of(tenant: Tenant, table: { merchantId: AnyPgColumn }): SQL {
  return sql`${table.merchantId} = ${tenant.merchantId}`;
}
