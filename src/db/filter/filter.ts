import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { withoutCase } from '../../../drizzle/columns.ts';
import { normalizedName } from '../../values/text.ts';
import { firstIdOf } from '../sql/id.ts';
import { textArray } from '../sql/parameter.ts';
import { timestamptzText } from '../../values/timestamp.ts';
import {
  foldedMatches,
  idLiteralMatcher,
  idMatcher,
  isHashed,
  isListed,
  type Matcher,
  matches,
  textMatcher,
  unindexed,
} from './matcher.ts';

type Maybe<T> = T | null | undefined;

/** All given members must match. `null` means not given. `isNull`: records without (true) or with (false) a value. */
export type StringFilter = {
  eq?: Maybe<string>;
  ne?: Maybe<string>;
  in?: Maybe<readonly string[]>;
  nin?: Maybe<readonly string[]>;
  like?: Maybe<string>;
  isNull?: Maybe<boolean>;
};

export type DateFilter = Partial<Record<'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte', Maybe<number>>> & {
  in?: Maybe<readonly number[]>;
  nin?: Maybe<readonly number[]>;
  isNull?: Maybe<boolean>;
};

export function textFilter(column: AnyPgColumn, filter: Maybe<StringFilter>): SQL[] {
  return columnConditions(column, textMatcher(column), filter);
}

/** A filter on a column of names: its texts are normalized as names are when they are stored. No index finds names. */
export function nameFilter(column: AnyPgColumn, filter: Maybe<StringFilter>): SQL[] {
  return unindexedTextFilter(column, normalizedFilter(filter));
}

/** A filter on a column without an index. */
export function unindexedTextFilter(column: AnyPgColumn, filter: Maybe<StringFilter>): SQL[] {
  return columnConditions(column, unindexed(textMatcher(column)), filter);
}

export function unindexedIdFilter(column: AnyPgColumn, filter: Maybe<StringFilter>): SQL[] {
  return columnConditions(column, unindexed(idMatcher(column)), filter);
}

function normalizedFilter(filter: Maybe<StringFilter>): Maybe<StringFilter> {
  return (
    filter && {
      ...filter,
      eq: filter.eq && normalizedName(filter.eq),
      ne: filter.ne && normalizedName(filter.ne),
      in: filter.in?.map(normalizedName),
      nin: filter.nin?.map(normalizedName),
      like: filter.like && normalizedName(filter.like),
    }
  );
}

/**
 * A filter on a column of e-mail addresses, which are compared without regard to case in the root locale. `isNull`
 * asks for the same expression, so that one index serves all members.
 */
export function emailFilter(column: AnyPgColumn, filter: Maybe<StringFilter>): SQL[] {
  const normalized = normalizedFilter(filter);
  if (!normalized) return [];
  const key = withoutCase(sql`${column}`);
  const listOf = (values: readonly string[]): SQL =>
    sql`select ${withoutCase(sql`value`)} from unnest(${textArray(values)}) as value`;
  const matcher: Matcher = {
    any: (values) =>
      values.length === 1
        ? sql`${key} = ${withoutCase(sql`${values[0]}::text`)}`
        : isListed(key, sql`array(${listOf(values)})`),
    hashed: (values) => sql`${key} in (${listOf(values)})`,
    like: textMatcher(column).like,
  };
  return [
    ...positiveConditions(matcher, normalized),
    ...negativeConditions(matcher, normalized),
    ...nullCondition(sql`${key} is null`, normalized),
  ];
}

/** `isLiteral`: ids are literals, so that the plan knows how many rows have them. */
export function idFilter(column: AnyPgColumn, filter: Maybe<StringFilter>, isLiteral = false): SQL[] {
  return columnConditions(column, isLiteral ? idLiteralMatcher(column) : idMatcher(column), filter);
}

/** Whether the filter names one id, so that at most one record has it. */
export function isOneId(filter: Maybe<StringFilter>): boolean {
  return typeof filter?.eq === 'string';
}

function columnConditions(column: AnyPgColumn, matcher: Matcher, filter: Maybe<StringFilter>): SQL[] {
  if (!filter) return [];
  return [
    ...positiveConditions(matcher, filter),
    ...negativeConditions(matcher, filter),
    ...missingCondition(column, filter),
  ];
}

/** Every row has a value in a column that is not null. A constant condition is no work for the database. */
function missingCondition(column: AnyPgColumn, filter: Pick<StringFilter, 'isNull'>): SQL[] {
  if (typeof filter.isNull !== 'boolean') return [];
  return nullCondition(column.notNull ? sql`false` : sql`${column} is null`, filter);
}

/** The condition of `isNull`, where `missing` holds for rows without a value. */
export function nullCondition(missing: SQL, filter: Maybe<Pick<StringFilter, 'isNull'>>): SQL[] {
  if (typeof filter?.isNull !== 'boolean') return [];
  return [filter.isNull ? missing : sql`not (${missing})`];
}

/**
 * The condition of a `search` on names: case, accents and spaces around the text do not matter. `%` and `_` are
 * literal.
 */
export function contains(column: AnyPgColumn, text: Maybe<string>): SQL[] {
  return typeof text === 'string' ? [matches(sql`${column}`, normalizedName(text))] : [];
}

/** The condition of a `search` on a column with folded text. An index supports it. */
export function containsFolded(column: AnyPgColumn, text: Maybe<string>): SQL[] {
  return typeof text === 'string' ? [foldedMatches(sql`${column}`, normalizedName(text))] : [];
}

/** Leaves out deleted records unless they are asked for. */
export function notDeleted(deleted: AnyPgColumn, includeDeleted: Maybe<boolean>): SQL[] {
  return includeDeleted ? [] : [sql`not ${deleted}`];
}

/** `isLiteral`: instants are literals, so that the plan knows them. */
export function dateFilter(column: AnyPgColumn, filter: Maybe<DateFilter>, isLiteral = false): SQL[] {
  if (!filter) return [];
  const instant = (ms: number): SQL =>
    isLiteral ? sql.raw(`'${timestamptzText(ms)}'::timestamptz`) : sql`${timestamptzText(ms)}::timestamptz`;
  const compare = (member: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte', operator: string): SQL[] => {
    const value = filter[member];
    return typeof value === 'number' ? [sql`${column} ${sql.raw(operator)} ${instant(value)}`] : [];
  };
  const list = (member: 'in' | 'nin'): SQL | null => {
    const values = filter[member];
    if (!values) return null;
    return sql`${`{${values.map(timestamptzText).join(',')}}`}::timestamptz[]`;
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
    ...(within ? [isListed(sql`${column}`, within)] : []),
    ...(without ? [sql`(${isHashed(sql`${column}`, without)}) is not true`] : []),
    ...missingCondition(column, filter),
  ];
}

/**
 * The range of ids for a filter on a time, for records whose ids are made from that time. An index of the ids then finds
 * the rows. It is used together with `dateFilter`, which compares the time itself.
 */
export function madeAtFilter(id: AnyPgColumn, filter: Maybe<DateFilter>): SQL[] {
  const { eq, lt, lte } = filter ?? {};
  return [
    ...madeSinceFilter(id, filter),
    ...[eq, lt, lte].filter(isTime).map((ms) => sql`${id} < ${firstIdOf(ms + 1)}::uuid`),
  ];
}

/**
 * Whether records since a time are asked for, few or most of all. A statement for any time is planned for a third of them,
 * so it reads all in their order, unless it is planned for its values.
 */
export function isSince(filter: Maybe<DateFilter>): boolean {
  return isTime(filter?.gt) || isTime(filter?.gte);
}

/**
 * Like `madeAtFilter`, for records whose stored time is the start of their transaction, while their id can be made later.
 * So a lower limit of the time is one of the id, and an upper limit is not.
 */
export function madeSinceFilter(id: AnyPgColumn, filter: Maybe<DateFilter>): SQL[] {
  const { eq, gt, gte } = filter ?? {};
  return [eq, gt, gte].filter(isTime).map((ms) => sql`${id} >= ${firstIdOf(ms)}::uuid`);
}

function isTime(value: Maybe<number>): value is number {
  return typeof value === 'number';
}

/** Conditions of the members `eq`, `in` and `like`. */
export function positiveConditions(matcher: Omit<Matcher, 'hashed'>, filter: StringFilter): SQL[] {
  return [
    ...(typeof filter.eq === 'string' ? [matcher.any([filter.eq])] : []),
    ...(filter.in ? [matcher.any(filter.in)] : []),
    ...(typeof filter.like === 'string' ? [matcher.like(filter.like)] : []),
  ];
}

/** The conditions of `ne` and `nin`. A row whose value is NULL meets them. */
function negativeConditions(matcher: Matcher, filter: StringFilter): SQL[] {
  return [
    ...(typeof filter.ne === 'string' ? [sql`(${matcher.any([filter.ne])}) is not true`] : []),
    ...(filter.nin ? [sql`(${matcher.hashed(filter.nin)}) is not true`] : []),
  ];
}
