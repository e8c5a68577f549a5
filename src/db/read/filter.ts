import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { argumentInvalid, type InputPath } from '../../errors.ts';
import { normalizedName } from '../../field-input.ts';
import { isId } from '../sql/id.ts';
import { timestamptzText } from '../sql/timestamp.ts';
import { idArray, textArray } from '../sql/parameter.ts';

type Maybe<T> = T | null | undefined;

/** All given members must match. `null` means not given. */
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

/** Comparisons on one column. */
type Matcher = { any: (values: readonly string[]) => SQL; like: (pattern: string) => SQL };

export function textFilter(column: AnyPgColumn, filter: Maybe<StringFilter>): SQL[] {
  return filter
    ? [...positiveConditions(textMatcher(column), filter), ...negativeConditions(textMatcher(column), filter)]
    : [];
}

/** A filter on a column of names: its texts are normalized as names are when they are stored. */
export function nameFilter(column: AnyPgColumn, filter: Maybe<StringFilter>): SQL[] {
  return textFilter(
    column,
    filter && {
      ...filter,
      eq: filter.eq && normalizedName(filter.eq),
      ne: filter.ne && normalizedName(filter.ne),
      in: filter.in?.map(normalizedName),
      nin: filter.nin?.map(normalizedName),
    },
  );
}

export function idFilter(column: AnyPgColumn, filter: Maybe<StringFilter>): SQL[] {
  return filter
    ? [...positiveConditions(idMatcher(column), filter), ...negativeConditions(idMatcher(column), filter)]
    : [];
}

export function textMatcher(column: AnyPgColumn): Matcher {
  return {
    any: (values) => (values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${textArray(values)})`),
    like: (pattern) => matches(sql`${column}`, pattern),
  };
}

export function idMatcher(column: AnyPgColumn): Matcher {
  return {
    any: (values) =>
      values.length === 1 && isId(values[0]!)
        ? sql`${column} = ${values[0]}::uuid`
        : sql`${column} = any(${idArray(values)})`,
    like: (pattern) => matches(sql`${column}::text`, pattern),
  };
}

/** Comparisons on a text[] column. */
export function textArrayMatcher(column: AnyPgColumn): Matcher {
  return {
    any: (values) => sql`${column} && ${textArray(values)}`,
    like: (pattern) => sql`exists (select from unnest(${column}) as element where ${matches(sql`element`, pattern)})`,
  };
}

/** Comparisons on an array column. `any`: the arrays overlap. */
export type ListMatcher = {
  any: (values: readonly string[]) => SQL;
  hasLike: (pattern: string, values: readonly string[] | null) => SQL;
};

/**
 * A filter on an array: at least one element matches; for `ne` and `nin` no element does. Ids are literals in the
 * statement: the number of records with an id varies by a factor of a thousand, and a generic plan would scan the
 * whole shop for some.
 */
export function listFilter(matcher: ListMatcher, filter: Maybe<StringFilter>): SQL[] {
  const { wanted, unwanted } = splitFilter(filter);
  return [
    ...(wanted ? [hasElement(matcher, wanted)] : []),
    ...(unwanted ? [sql`(${matcher.any(unwanted)}) is not true`] : []),
  ];
}

/** At least one element that matches all members. */
export function hasElement({ any, hasLike }: ListMatcher, { eq, in: among, like }: StringFilter): SQL {
  const lists = [typeof eq === 'string' ? [eq] : null, among ?? null].filter((values) => values !== null);
  const wanted = lists.length === 2 ? lists[0]!.filter((value) => lists[1]!.includes(value)) : (lists[0] ?? null);
  return typeof like === 'string' ? hasLike(like, wanted) : any(wanted!);
}

/** Splits a filter into the conditions on one element and the excluded values; null where it has none. */
export function splitFilter(filter: Maybe<StringFilter>): {
  wanted: StringFilter | null;
  unwanted: readonly string[] | null;
} {
  const { ne, nin, ...wanted } = filter ?? {};
  const unwanted = [...(typeof ne === 'string' ? [ne] : []), ...(nin ?? [])];
  return {
    wanted: Object.values(wanted).some((value) => value !== null && value !== undefined) ? wanted : null,
    unwanted: typeof ne === 'string' || nin ? unwanted : null,
  };
}

export function idArrayMatcher(column: AnyPgColumn): ListMatcher {
  return listMatcher(column, 'uuid');
}

/** Comparisons on a column filled from a JSON list; null if the list is empty. */
export function idTextArrayMatcher(column: AnyPgColumn): ListMatcher {
  return listMatcher(column, 'text');
}

function listMatcher(list: AnyPgColumn, type: 'uuid' | 'text'): ListMatcher {
  return {
    any: (values) => sql`(${list} && ${literals(values, type)})`,
    hasLike: (pattern, values) => {
      const among = values ? sql`element = any(${literals(values, type)}) and ` : sql``;
      return sql`exists (select from unnest(${list}) as element where ${among}${matches(sql`element::text`, pattern)})`;
    },
  };
}

/** Like idMatcher, with literal ids, as in array filters. */
export function idLiteralMatcher(column: AnyPgColumn): Matcher {
  return { ...idMatcher(column), any: (values) => sql`${column} = any(${literals(values, 'uuid')})` };
}

/** Texts that are not ids match nothing and are left out. */
function literals(ids: readonly string[], type: 'uuid' | 'text'): SQL {
  return sql.raw(`'{${ids.filter(isId).join(',')}}'::${type}[]`);
}

/** The condition of a `search` on names: case, accents and spaces around the text do not matter. `%` and `_` are literal. */
export function contains(column: AnyPgColumn, text: Maybe<string>): SQL[] {
  return typeof text === 'string' ? [matches(sql`${column}`, normalizedName(text))] : [];
}

/** The same for a column with folded text, which an index supports. */
export function containsFolded(column: AnyPgColumn, text: Maybe<string>): SQL[] {
  return typeof text === 'string'
    ? [sql`${column} like '%' || fold(${withoutWildcards(normalizedName(text))}) || '%'`]
    : [];
}

/** Leaves out deleted records unless they are asked for. */
export function notDeleted(deleted: AnyPgColumn, includeDeleted: Maybe<boolean>): SQL[] {
  return includeDeleted ? [] : [sql`not ${deleted}`];
}

/** Case-insensitive and accent-insensitive substring match. */
export function matches(expression: SQL, pattern: string): SQL {
  return sql`fold(${expression}) like '%' || fold(${withoutWildcards(pattern)}) || '%'`;
}

function withoutWildcards(pattern: string): string {
  return pattern.replace(/[\\%_]/g, '\\$&');
}

/** `isLiteral`: instants are literals, so that the plan knows them. */
export function dateFilter(column: AnyPgColumn, filter: Maybe<DateFilter>, path: string, isLiteral = false): SQL[] {
  if (!filter) return [];
  const instant = (member: string, value: number): SQL => {
    const text = timestamptzInput(value, [path, member]);
    return isLiteral ? sql.raw(`'${text}'::timestamptz`) : sql`${text}::timestamptz`;
  };
  const compare = (member: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte', operator: string): SQL[] => {
    const value = filter[member];
    return typeof value === 'number' ? [sql`${column} ${sql.raw(operator)} ${instant(member, value)}`] : [];
  };
  const list = (member: 'in' | 'nin'): SQL | null => {
    const values = filter[member];
    if (!values) return null;
    return sql`${`{${values.map((value) => timestamptzInput(value, [path, member])).join(',')}}`}::timestamptz[]`;
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

/** Milliseconds as timestamptz text. Refused outside of the years 1 to 9999. */
export function timestamptzInput(value: number, path: InputPath): string {
  const text = timestamptzText(value);
  if (text !== null) return text;
  throw argumentInvalid([{ path, message: 'must be milliseconds since the epoch, in the years 1 to 9999' }]);
}

/** Conditions of all members except `ne` and `nin`. */
export function positiveConditions(matcher: Matcher, filter: StringFilter): SQL[] {
  return [
    ...(typeof filter.eq === 'string' ? [matcher.any([filter.eq])] : []),
    ...(filter.in ? [matcher.any(filter.in)] : []),
    ...(typeof filter.like === 'string' ? [matcher.like(filter.like)] : []),
  ];
}

/** NULL counts as different. */
function negativeConditions(matcher: Matcher, filter: StringFilter): SQL[] {
  return [
    ...(typeof filter.ne === 'string' ? [sql`(${matcher.any([filter.ne])}) is not true`] : []),
    ...(filter.nin ? [sql`(${matcher.any(filter.nin)}) is not true`] : []),
  ];
}
