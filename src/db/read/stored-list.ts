import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { CANONICAL_UUID } from '../sql/id.ts';

/**
 * The objects of a stored JSON list. Plain SQL can have stored anything else: what is not an object is left out, so that
 * one damaged record does not hide a whole page.
 */
export function storedObjects<Entry extends object>(json: string): Entry[] {
  return objectsOf<Entry>(JSON.parse(json));
}

/** Like `storedObjects`, for parsed JSON. Returns the list itself if all its entries are objects. */
export function objectsOf<Entry extends object>(stored: unknown): Entry[] {
  if (!Array.isArray(stored)) return [];
  return stored.every(isObject) ? (stored as Entry[]) : (stored.filter(isObject) as Entry[]);
}

/** The text of a stored JSON list, and an empty list for anything else. */
export function listText(json: string): string {
  return json.startsWith('[') || json.trimStart().startsWith('[') ? json : '[]';
}

/** The elements of a stored JSON list in SQL; none if it is not a list. */
export function listElements(list: SQL | AnyPgColumn): SQL {
  return sql`json_array_elements(case when json_typeof(${list}) = 'array' then ${list} end)`;
}

/** Like `listElements`; the elements are texts. */
export function listTexts(list: SQL): SQL {
  return sql`json_array_elements_text(case when json_typeof(${list}) = 'array' then ${list} end)`;
}

/** An SQL expression: the text as a uuid, or null if the text is not an id. */
export function idOf(text: SQL): SQL {
  return sql`case when (${text}) ~ ${sql.raw(`'${CANONICAL_UUID.source}'`)} then (${text})::uuid end`;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
