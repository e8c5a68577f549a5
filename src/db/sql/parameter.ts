import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { isId } from './id.ts';

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

/** Ids as the text of a Postgres array, for one parameter. Texts that are not ids match nothing and are left out. */
export function idArrayText(ids: readonly string[]): string {
  return `{${ids.filter(isId).join(',')}}`;
}

/** A list as one array parameter, so that the statement text does not depend on its length. */
export function idArray(ids: readonly string[]): SQL {
  return sql`${idArrayText(ids)}::uuid[]`;
}

/** An id as a literal, so that the plan knows it. */
export function idLiteral(id: string): SQL {
  if (!isId(id)) throw new Error('Only an id may stand in the text of a statement.');
  return sql.raw(`'${id}'::uuid`);
}

/** A value of an enum as a literal, so that a generic plan can use a partial index. */
export function enumLiteral(value: string): SQL {
  if (!/^[A-Z_]+$/.test(value)) throw new Error('Only a value of an enum may stand in the text of a statement.');
  return sql.raw(`'${value}'`);
}

/** A list of ids as a literal. Texts that are not ids match nothing and are left out. */
export function idLiterals(ids: readonly string[], type: 'uuid' | 'text'): SQL {
  return sql.raw(`'${idArrayText(ids)}'::${type}[]`);
}

/** A single id is compared with `=`. For `= any` Postgres estimates the array's length and may plan on every call. */
export function isAnyOf(column: AnyPgColumn, ids: readonly string[]): SQL {
  const [id, ...others] = ids;
  return id !== undefined && others.length === 0 && isId(id)
    ? sql`${column} = ${id}::uuid`
    : sql`${column} = any(${idArray(ids)})`;
}

export function textArray(texts: readonly string[]): SQL {
  return sql`${`{${texts.map(quoteElement).join(',')}}`}::text[]`;
}

function quoteElement(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
