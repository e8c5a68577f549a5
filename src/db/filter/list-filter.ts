import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { idLiterals } from '../sql/parameter.ts';
import { nullCondition, type StringFilter } from './filter.ts';
import { matches } from './matcher.ts';

type Filter = StringFilter | null | undefined;

/** Comparisons on an array column. `any`: the arrays overlap. */
export type ListMatcher = {
  any: (values: readonly string[]) => SQL;
  hasLike: (pattern: string, values: readonly string[] | null) => SQL;
  isEmpty: SQL;
};

/**
 * A filter on an array: at least one element matches; for `ne` and `nin` no element does. Ids are literals in the
 * statement: the number of records with an id varies by a factor of a thousand, and a generic plan would scan the
 * whole shop for some.
 */
export function listFilter(matcher: ListMatcher, filter: Filter): SQL[] {
  const { wanted, unwanted } = splitFilter(filter);
  return [
    ...nullCondition(matcher.isEmpty, filter),
    ...(wanted ? [hasElement(matcher, wanted)] : []),
    ...(unwanted ? [sql`(${matcher.any(unwanted)}) is not true`] : []),
  ];
}

/** The condition that the list has an element which matches all members of the filter. */
export function hasElement({ any, hasLike }: ListMatcher, { eq, in: among, like }: StringFilter): SQL {
  const lists = [typeof eq === 'string' ? [eq] : null, among ?? null].filter((values) => values !== null);
  const wanted = lists.length === 2 ? lists[0]!.filter((value) => lists[1]!.includes(value)) : (lists[0] ?? null);
  return typeof like === 'string' ? hasLike(like, wanted) : any(wanted!);
}

/**
 * Splits a filter into the conditions on one element and the excluded values; null where it has none. Without `isNull`.
 */
export function splitFilter(filter: Filter): {
  wanted: StringFilter | null;
  unwanted: readonly string[] | null;
} {
  const { ne, nin, isNull: _isNull, ...wanted } = filter ?? {};
  const unwanted = [...(typeof ne === 'string' ? [ne] : []), ...(nin ?? [])];
  return {
    wanted: Object.values(wanted).some((value) => value !== null && value !== undefined) ? wanted : null,
    unwanted: typeof ne === 'string' || nin ? unwanted : null,
  };
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
    hasLike: (pattern, values) => {
      const among = values ? sql`element = any(${idLiterals(values, type)}) and ` : sql``;
      return sql`exists (select from unnest(${list}) as element where ${among}${matches(sql`element::text`, pattern)})`;
    },
  };
}
