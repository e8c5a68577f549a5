import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { isId } from './id.ts';

/** A list as one parameter, so that its length does not change the statement's text. What is no id matches nothing. */
export function idArray(ids: readonly string[]): SQL {
  return sql`${`{${ids.filter(isId).join(',')}}`}::uuid[]`;
}

/** An id in the text of the statement, which is planned for this very value. */
export function idLiteral(id: string): SQL {
  if (!isId(id)) throw new Error('Only an id may stand in the text of a statement.');
  return sql.raw(`'${id}'::uuid`);
}

/** A single id is compared as such: what a list may hold Postgres does not know beforehand, and plans anew each time. */
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
