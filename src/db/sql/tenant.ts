import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { idLiteral } from './parameter.ts';

/**
 * The merchant whose rows a statement may touch; see `ownedBy`. `isLiteral`: the id is also a literal in the text, so
 * that Postgres plans for this merchant's number of rows.
 */
export type Tenant = { readonly merchantId: string; readonly isLiteral?: boolean };

/** The merchant's condition. It is required, first, for every table of a statement. */
export function ownedBy({ merchantId, isLiteral }: Tenant, table: { merchantId: AnyPgColumn }): SQL {
  const condition = sql`${table.merchantId} = ${merchantId}`;
  return isLiteral ? sql`${condition} and ${table.merchantId} = ${idLiteral(merchantId)}` : condition;
}

/** The condition on the merchant in a cached statement, whose first parameter is the merchant's id. */
export function ownedByFirstParameter(table: { merchantId: AnyPgColumn }): SQL {
  return sql`${table.merchantId} = ${sql.raw('$1')}`;
}
