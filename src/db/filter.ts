import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { argumentInvalid } from '../errors.ts';
import { isId } from './id.ts';
import { instantText } from './milliseconds.ts';
import { idList, textList } from './parameter.ts';

type Maybe<T> = T | null | undefined;

/** Members given together all have to hold; `null` is as good as left out. */
export type StringFilter = {
  eq?: Maybe<string>;
  ne?: Maybe<string>;
  in?: Maybe<readonly string[]>;
  nin?: Maybe<readonly string[]>;
  like?: Maybe<string>;
};

export type DateFilter = Partial<Record<'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte', Maybe<number>>> & {
  in?: Maybe<readonly number[]>;
  nin?: Maybe<readonly number[]>;
};

/** How one column, or rows found through it, are compared. */
type Matcher = { any: (values: readonly string[]) => SQL; like: (pattern: string) => SQL };

export function textFilter(column: AnyPgColumn, filter: Maybe<StringFilter>): SQL[] {
  return filter ? [...positive(textMatcher(column), filter), ...negative(textMatcher(column), filter)] : [];
}

export function idFilter(column: AnyPgColumn, filter: Maybe<StringFilter>): SQL[] {
  return filter ? [...positive(idMatcher(column), filter), ...negative(idMatcher(column), filter)] : [];
}

/**
 * A filter on rows that belong to the record: it holds when one of them matches, and for `ne` and
 * `nin` when none does. `exists` wraps a condition on such a row.
 */
export function rowFilter(matcher: Matcher, filter: Maybe<StringFilter>, exists: (condition: SQL) => SQL): SQL[] {
  if (!filter) return [];
  const wanted = positive(matcher, filter);
  const unwanted = [filter.ne === null || filter.ne === undefined ? null : [filter.ne], filter.nin ?? null];
  return [
    ...(wanted.length > 0 ? [exists(sql.join(wanted, sql` and `))] : []),
    ...unwanted.flatMap((values) => (values ? [sql`not ${exists(matcher.any(values))}`] : [])),
  ];
}

export function textMatcher(column: AnyPgColumn): Matcher {
  return {
    any: (values) => (values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${textList(values)})`),
    like: (pattern) => matches(sql`${column}`, pattern),
  };
}

export function idMatcher(column: AnyPgColumn): Matcher {
  return {
    any: (values) => (values.length === 1 && isId(values[0]!) ? sql`${column} = ${values[0]}::uuid` : sql`${column} = any(${idList(values)})`),
    like: (pattern) => matches(sql`${column}::text`, pattern),
  };
}

/** A column that holds a list of texts. */
export function textArrayMatcher(column: AnyPgColumn): Matcher {
  return {
    any: (values) => sql`${column} && ${textList(values)}`,
    like: (pattern) => sql`exists (select from unnest(${column}) as element where ${matches(sql`element`, pattern)})`,
  };
}

/** How a column that holds a list is compared: `any` holds where they have an element in common. */
export type ListMatcher = { any: (values: readonly string[]) => SQL; hasLike: (pattern: string, values: readonly string[] | null) => SQL };

/**
 * A filter on a list: it holds when one element is as the filter wants it, and for `ne` and `nin` when none is.
 * Ids stand in the statement's text: how many records have one differs by a factor of a thousand, and a plan that was made
 * without knowing the id would read a whole shop for some.
 */
export function listFilter({ any, hasLike }: ListMatcher, filter: Maybe<StringFilter>): SQL[] {
  if (!filter) return [];
  const lists = [typeof filter.eq === 'string' ? [filter.eq] : null, filter.in ?? null].filter((values) => values !== null);
  const wanted = lists.length === 2 ? lists[0]!.filter((value) => lists[1]!.includes(value)) : (lists[0] ?? null);
  return [
    ...(typeof filter.like === 'string' ? [hasLike(filter.like, wanted)] : wanted ? [any(wanted)] : []),
    ...(typeof filter.ne === 'string' ? [sql`not ${any([filter.ne])}`] : []),
    ...(filter.nin ? [sql`not ${any(filter.nin)}`] : []),
  ];
}

export function idArrayMatcher(column: AnyPgColumn): ListMatcher {
  return listMatcher(sql`${column}`, 'uuid');
}

/** A column that holds the ids of a JSON list's objects, or null where the list is empty. */
export function idTextArrayMatcher(column: AnyPgColumn): ListMatcher {
  return listMatcher(sql`${column}`, 'text');
}

function listMatcher(list: SQL, type: 'uuid' | 'text'): ListMatcher {
  const literal = (values: readonly string[]): SQL => sql.raw(`'{${values.filter(isId).join(',')}}'::${type}[]`);
  return {
    any: (values) => sql`(${list} && ${literal(values)})`,
    hasLike: (pattern, values) => {
      const among = values ? sql`element = any(${literal(values)}) and ` : sql``;
      return sql`exists (select from unnest(${list}) as element where ${among}${matches(sql`element::text`, pattern)})`;
    },
  };
}

/** Contains, whatever the case and the accents; the pattern has no wildcards of its own. */
export function contains(column: AnyPgColumn, text: Maybe<string>): SQL[] {
  return typeof text === 'string' ? [matches(sql`${column}`, text)] : [];
}

/** The same for a column that holds folded text, so that an index on it serves. */
export function containsFolded(column: AnyPgColumn, text: Maybe<string>): SQL[] {
  return typeof text === 'string' ? [sql`${column} like '%' || fold(${withoutWildcards(text)}) || '%'`] : [];
}

/** Deleted records are seen only by those who ask for them. */
export function notDeleted(deleted: AnyPgColumn, includeDeleted: Maybe<boolean>): SQL[] {
  return includeDeleted ? [] : [sql`not ${deleted}`];
}

/** The condition of `contains` on any expression. */
export function matches(expression: SQL, pattern: string): SQL {
  return sql`fold(${expression}) like '%' || fold(${withoutWildcards(pattern)}) || '%'`;
}

function withoutWildcards(pattern: string): string {
  return pattern.replace(/[\\%_]/g, '\\$&');
}

export function dateFilter(column: AnyPgColumn, filter: Maybe<DateFilter>, path: string): SQL[] {
  if (!filter) return [];
  const instant = (member: string, value: number): SQL => sql`${isoInstant(value, [path, member])}::timestamptz`;
  const compare = (member: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte', operator: string): SQL[] => {
    const value = filter[member];
    return typeof value === 'number' ? [sql`${column} ${sql.raw(operator)} ${instant(member, value)}`] : [];
  };
  const list = (member: 'in' | 'nin'): SQL | null => {
    const values = filter[member];
    if (!values) return null;
    return sql`${`{${values.map((value) => isoInstant(value, [path, member])).join(',')}}`}::timestamptz[]`;
  };
  const within = list('in');
  const without = list('nin');
  return [
    ...compare('eq', '='),
    ...compare('ne', 'is distinct from'),
    ...compare('gt', '>'),
    ...compare('gte', '>='),
    ...compare('lt', '<'),
    ...compare('lte', '<='),
    ...(within ? [sql`${column} = any(${within})`] : []),
    ...(without ? [sql`(${column} = any(${without})) is not true`] : []),
  ];
}

/** Milliseconds as Postgres reads them; refused outside the years 1 to 9999. */
export function isoInstant(value: number, path: (string | number)[]): string {
  const text = instantText(value);
  if (text !== null) return text;
  throw argumentInvalid([{ path, message: 'must be milliseconds since the epoch, in the years 1 to 9999' }]);
}

function positive(matcher: Matcher, filter: StringFilter): SQL[] {
  return [
    ...(typeof filter.eq === 'string' ? [matcher.any([filter.eq])] : []),
    ...(filter.in ? [matcher.any(filter.in)] : []),
    ...(typeof filter.like === 'string' ? [matcher.like(filter.like)] : []),
  ];
}

/** A record without a value is one of which it can be said that the value is another. */
function negative(matcher: Matcher, filter: StringFilter): SQL[] {
  return [
    ...(typeof filter.ne === 'string' ? [sql`(${matcher.any([filter.ne])}) is not true`] : []),
    ...(filter.nin ? [sql`(${matcher.any(filter.nin)}) is not true`] : []),
  ];
}
