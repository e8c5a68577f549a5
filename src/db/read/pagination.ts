import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { invalidAt } from '../../errors.ts';
import { timestamptzText } from '../../values/timestamp.ts';
import { isId } from '../sql/id.ts';

const DEFAULT_PAGE_LIMIT = 50;
const MAX_PAGE_LIMIT = 200;

export type Pagination = { page?: number | null; limit?: number | null; after?: string | null };

export type PageRequest = { page: number; limit: number; after: string | null };

/**
 * A page past the end is empty, however large its number: an Int of GraphQL times 200 is a valid offset of PostgreSQL.
 */
export function pageRequest(pagination: Pagination | null | undefined, path: string[] = ['pagination']): PageRequest {
  const { page, limit, after } = pagination ?? {};
  return {
    page: after == null ? within([...path, 'page'], page ?? 1) : 1,
    limit: within([...path, 'limit'], limit ?? DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT),
    after: after ?? null,
  };
}

function within(path: string[], value: number, max?: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= (max ?? value)) return value;
  throw invalidAt(path, `must be a whole number from 1${max === undefined ? '' : ` to ${max}`}`);
}

export const SORT_DEFAULT = '-createdAt';

/** A name of 255 code points makes the longest cursor: 2,200 characters. */
const MAX_CURSOR_LENGTH = 4_096;

/**
 * By what a list is sorted, and how cursors have its values as text. `parse` returns null for a text that is no such value.
 */
export type SortKey = { key: SQL; text: (key: SQL) => SQL; parse: (text: string) => SQL | null };

export type Order = { name: string; descending: boolean; key: SortKey };

export function instantKey(column: AnyPgColumn): SortKey {
  return {
    key: sql`${column}`,
    text: (key) => sql`((extract(epoch from ${key}) * 1000)::bigint)::text`,
    parse: (text) => {
      const instant = /^-?\d{1,15}$/.test(text) ? timestamptzText(Number(text)) : null;
      return instant === null ? null : sql`${instant}::timestamptz`;
    },
  };
}

/** ICU root collation, independent of the database's locale. */
export function nameKey(column: AnyPgColumn): SortKey {
  return {
    key: sql`${column} collate "und-x-icu"`,
    text: (key) => key,
    parse: (text) => (text.isWellFormed() && !text.includes('\0') ? sql`${text}::text collate "und-x-icu"` : null),
  };
}

export function idKey(column: AnyPgColumn): SortKey {
  return {
    key: sql`${column}`,
    text: (key) => sql`${key}::text`,
    parse: (text) => (isId(text) ? sql`${text}::uuid` : null),
  };
}

/** The order of lists without a `sort` argument. */
export function newestFirst(row: { createdAt: AnyPgColumn }): Order {
  return order(null, { createdAt: instantKey(row.createdAt) });
}

/** The field and the direction: `name` and `name asc` are ascending, `-name`, `name desc` and `name:desc` descending. */
export function parseSort(sort: string): Pick<Order, 'name' | 'descending'> {
  const [, field, direction] = /^(\w+)[ :](asc|desc)$/i.exec(sort) ?? [];
  if (field && direction) return { name: field, descending: direction.toLowerCase() === 'desc' };
  const descending = sort.startsWith('-');
  return { name: descending ? sort.slice(1) : sort, descending };
}

/** The order that `sort` names. Throws if `keys` does not have the field. */
export function order(sort: string | null | undefined, keys: Record<string, SortKey>): Order {
  const { name, descending } = parseSort(sort ?? SORT_DEFAULT);
  const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
  if (key) return { name, descending, key };
  const allowed = Object.keys(keys).join(', ');
  throw invalidAt(['sort'], `must be one of ${allowed}, with - before it for descending`);
}

export function orderBy({ descending, key }: Order, id: AnyPgColumn): SQL {
  return sql`${key.key} ${sql.raw(descending ? 'desc' : 'asc')}, ${id}`;
}

/** The position of the last row of a page of `list`. Opaque to clients. */
export function encodeCursor(list: string, { name, descending }: Order, key: string, id: string): string {
  return Buffer.from(JSON.stringify([list, descending ? `-${name}` : name, key, id])).toString('base64url');
}

/** Rows after a cursor. Cursors are client input: list and sort must match, and key and id must be valid values. */
export function afterCursor(cursor: string, list: string, order: Order, id: AnyPgColumn): SQL {
  const place = decodeCursor(cursor, list, order);
  if (!place)
    throw invalidAt(['pagination', 'after'], 'must be the endCursor of a page of the same operation and sort');
  const { key } = order.key;
  const beyond = sql.raw(order.descending ? '<' : '>');
  return sql`(${key} ${beyond}= ${place.key} and (${key} ${beyond} ${place.key} or ${id} > ${place.id}::uuid))`;
}

function decodeCursor(cursor: string, list: string, order: Order): { key: SQL; id: string } | null {
  if (cursor.length > MAX_CURSOR_LENGTH) return null;
  const [, , keyText, id] = parseCursor(cursor);
  if (typeof keyText !== 'string' || typeof id !== 'string' || !isId(id)) return null;
  if (encodeCursor(list, order, keyText, id) !== cursor) return null;
  const key = order.key.parse(keyText);
  return key && { key, id };
}

function parseCursor(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
