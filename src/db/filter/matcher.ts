import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { isId } from '../sql/id.ts';
import { idArray, idLiterals, textArray } from '../sql/parameter.ts';

/** Comparisons on one column. `any` and `hashed` mean the same, but no index serves `hashed`. */
export type Matcher = {
  any: (values: readonly string[]) => SQL;
  hashed: (values: readonly string[]) => SQL;
  like: (pattern: string) => SQL;
};

export function textMatcher(column: AnyPgColumn): Matcher {
  return {
    any: (values) =>
      values.length === 1 ? sql`${column} = ${values[0]}` : isListed(sql`${column}`, textArray(values)),
    hashed: (values) => isHashed(sql`${column}`, textArray(values)),
    like: (pattern) => matches(sql`${column}`, pattern),
  };
}

export function idMatcher(column: AnyPgColumn): Matcher {
  return {
    any: (values) =>
      values.length === 1 && isId(values[0]!)
        ? sql`${column} = ${values[0]}::uuid`
        : isListed(sql`${column}`, idArray(values)),
    hashed: (values) => isHashed(sql`${column}`, idArray(values)),
    like: (pattern) => matches(sql`${column}::text`, pattern),
  };
}

/** Comparisons on a text[] column. */
export function textArrayMatcher(column: AnyPgColumn): Omit<Matcher, 'hashed'> {
  return {
    any: (values) => sql`${column} && ${textArray(values)}`,
    like: (pattern) => sql`exists (select from unnest(${column}) as element where ${matches(sql`element`, pattern)})`,
  };
}

/** Matches as `idMatcher` does, but writes the ids as literals into the statement, as array filters do. */
export function idLiteralMatcher(column: AnyPgColumn): Matcher {
  const any = (values: readonly string[]): SQL => sql`${column} = any(${idLiterals(values, 'uuid')})`;
  return { ...idMatcher(column), any, hashed: any };
}

/** For a column without an index. */
export function unindexed(matcher: Matcher): Matcher {
  return { ...matcher, any: (values) => (values.length === 1 ? matcher.any(values) : isTrue(matcher.hashed(values))) };
}

/** Whether the value is in the list. If no index serves `= any`, most rows are compared with the hash table only. */
export function isListed(value: SQL, list: SQL): SQL {
  return sql`(${value} = any(${list}) and ${isTrue(isHashed(value, list))})`;
}

/**
 * Looks the value up in a hash table of the list. For `= any` Postgres makes a hash table only if the plan knows the
 * list, and a generic plan does not: 1,000 ids in 100,000 rows took 1.4 s, and take 0.03 s in a sub-select.
 */
export function isHashed(value: SQL, list: SQL): SQL {
  return sql`${value} in (select unnest(${list}))`;
}

/**
 * Postgres uses no index for a condition within `is true`, and makes no join of its sub-select. A generic plan expects
 * ten values in a list, so that it may join by comparing each row with each value: more than 20 s for 1,000 values and
 * 100,000 rows.
 */
export function isTrue(condition: SQL): SQL {
  return sql`(${condition}) is true`;
}

/**
 * Case-insensitive and accent-insensitive substring match. The sub-select computes the pattern once: a generic plan would
 * compute it for each row, which takes four times as long as comparing a name with a pattern of 200 characters.
 */
export function matches(expression: SQL, text: string): SQL {
  return sql`fold(${expression}) like (select ${patternOf(sql`${text}`)})`;
}

/** A text from which pg_trgm makes a trigram: spaces around its words count. */
const TRIGRAM = /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u;

/**
 * Like `matches`, for an expression that is folded and has an index of trigrams. It is not used for a text without a
 * trigram, because Postgres would read the entries of all merchants. The statement has to be planned for its values: a
 * plan that does not know the pattern reads all rows instead of using the index.
 */
export function foldedMatches(folded: SQL, text: string): SQL {
  const condition = sql`${folded} like ${patternOf(sql`${text}`)}`;
  return TRIGRAM.test(text) ? condition : isTrue(condition);
}

/**
 * The pattern for texts that contain this one. Wildcards are escaped after it is folded, because others become
 * wildcards then, such as the full-width `％`.
 */
export function patternOf(text: SQL): SQL {
  return sql`'%' || replace(replace(replace(fold(${text}), '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'`;
}
