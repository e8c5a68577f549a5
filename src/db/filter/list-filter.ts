import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { idLiterals } from '../sql/parameter.ts';
import { nullCondition, positiveConditions, type StringFilter } from './filter.ts';
import { type Matcher, matches } from './matcher.ts';

type Filter = StringFilter | null | undefined;

/** Comparisons on an array column. `any`: the arrays overlap. `like`: an element contains the text. */
export type ListMatcher = Omit<Matcher, 'hashed'> & { isEmpty: SQL };

/**
 * A filter on an array: each of `eq`, `in` and `like` holds for at least one element; for `ne` and `nin` no element is
 * equal. Ids are literals in the statement: the number of records with an id varies by a factor of a thousand, and a
 * generic plan would scan the whole shop for some.
 */
export function listFilter(matcher: ListMatcher, filter: Filter): SQL[] {
  const unwanted = unwantedValues(filter);
  return [
    ...nullCondition(matcher.isEmpty, filter),
    ...positiveConditions(matcher, filter ?? {}),
    ...(unwanted ? [sql`(${matcher.any(unwanted)}) is not true`] : []),
  ];
}

/** The values that a filter excludes; null if it has no such condition. */
export function unwantedValues(filter: Filter): readonly string[] | null {
  const { ne, nin } = filter ?? {};
  const unwanted = [...(typeof ne === 'string' ? [ne] : []), ...(nin ?? [])];
  return typeof ne === 'string' || nin ? unwanted : null;
}

/** Comparisons on a uuid[] column that is not null. */
export function idArrayMatcher(column: AnyPgColumn): ListMatcher {
  return { ...listMatcher(column, 'uuid'), isEmpty: sql`${column} = '{}'` };
}

/** Comparisons on a column filled from a JSON list; null if the list is empty. */
export function idTextArrayMatcher(column: AnyPgColumn): ListMatcher {
  return { ...listMatcher(column, 'text'), isEmpty: sql`${column} is null` };
}

/**
 * `&&` compares each element with each value: 1,000 values took 15 s in 100,000 products. `= any` of a literal looks an
 * element up by its hash. It uses no index, so that it reads all rows: 0.2 s.
 */
const MAX_COMPARED_VALUES = 50;

function listMatcher(list: AnyPgColumn, type: 'uuid' | 'text'): Omit<ListMatcher, 'isEmpty'> {
  return {
    any: (values) =>
      values.length > MAX_COMPARED_VALUES
        ? sql`exists (select from unnest(${list}) as element where element = any(${idLiterals(values, type)}))`
        : sql`(${list} && ${idLiterals(values, type)})`,
    like: (pattern) =>
      sql`exists (select from unnest(${list}) as element where ${matches(sql`element::text`, pattern)})`,
  };
}
