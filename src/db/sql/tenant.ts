import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { idLiteral } from './parameter.ts';

/**
 * Every table a statement touches is asked for this merchant's rows by name: see `of`. With `isInText` the statement's text has the
 * merchant too, so that Postgres plans for the number of rows that this merchant has.
 */
export type Tenant = { readonly merchantId: string; readonly isLiteral?: boolean };

/** The condition that stands first beside each table. */
export function ownedBy({ merchantId, isLiteral }: Tenant, table: { merchantId: AnyPgColumn }): SQL {
  const condition = sql`${table.merchantId} = ${merchantId}`;
  return isLiteral ? sql`${condition} and ${table.merchantId} = ${idLiteral(merchantId)}` : condition;
}

/** The same in a text that is kept for all merchants: the statement's first parameter is the merchant. */
export function ownedByFirstParameter(table: { merchantId: AnyPgColumn }): SQL {
  return sql`${table.merchantId} = ${sql.raw('$1')}`;
}
