import { type SQL, sql } from 'drizzle-orm';
import type { category } from '../../../drizzle/category.ts';
import { categoryConditionInput } from '../../category/generated/category-input.ts';
import { PRICE, rangesOf, TIME } from '../../category/condition-range.ts';
import { type ConditionType, idsIn } from '../../category/condition-value.ts';
import { patternOf } from '../../db/filter/matcher.ts';
import { idArray, textArray } from '../../db/sql/parameter.ts';
import { list } from '../../field-input.ts';
import { normalizedName } from '../../values/text.ts';
import { booleanOf, isNumberText } from '../../values/value-text.ts';
import { type Fact, fact } from './product-facts.ts';

export type ConditionalCategory = Pick<
  typeof category.$inferSelect,
  'id' | 'byConditions' | 'deleted' | 'shouldMatchAllConditions'
> & { conditions: unknown };

/** A condition on the facts of a product. */
export type Predicate = { sql: SQL; facts: readonly Fact[] };

/**
 * Longer lists are looked up in a hash table. `&&` and `@>` compare each pair of ids, and PostgreSQL does not end them
 * at the statement timeout: 2,000 values and 100,000 ids of a product took 20 s.
 */
const MAX_PAIRED_VALUES = 50;
const MAX_PAIRED_IDS = 200;

type Meets = { fact: Fact; meets: (values: readonly string[]) => SQL };

const NEVER: Predicate = { sql: sql`false`, facts: [] };

/** How a product has to be for IN. There are no campaigns, so that nothing can be said of them. */
const TYPES: Record<Exclude<ConditionType, 'CAMPAIGN'>, Meets> = {
  CATEGORY: {
    fact: 'categoryIds',
    meets: (values) => hasAny('categoryIds', ids('CATEGORY', values), idArray),
  },
  CREATED_AT: {
    fact: 'createdAt',
    meets: (values) => sql`${fact('createdAt')} <@ ${multirange(rangesOf(values, TIME))}::tstzmultirange`,
  },
  DISCOUNTED_PRODUCTS: {
    fact: 'isDiscounted',
    meets: (values) => sql`${fact('isDiscounted')} = any(${textArray(truths(values))}::boolean[])`,
  },
  PRICE_RANGE: {
    fact: 'prices',
    meets: (values) => sql`${fact('prices')} && ${multirange(rangesOf(values, PRICE))}::nummultirange`,
  },
  PRODUCT_ATTRIBUTE: {
    fact: 'attributeIds',
    meets: (values) => hasIdsOfAny('attributeIds', 'PRODUCT_ATTRIBUTE', values),
  },
  PRODUCT_BRAND: {
    fact: 'brandId',
    meets: (values) => sql`${fact('brandId')} = any(${idArray(ids('PRODUCT_BRAND', values))})`,
  },
  PRODUCT_NAME: { fact: 'name', meets: containsAny },
  PRODUCT_TAG: {
    fact: 'tagIds',
    meets: (values) => hasAny('tagIds', ids('PRODUCT_TAG', values), idArray),
  },
  VARIANT_VALUE: {
    fact: 'optionIds',
    meets: (values) => hasIdsOfAny('optionIds', 'VARIANT_VALUE', values),
  },
};

/** Whether a product meets the conditions of a category. Nothing is in a category that is not automated, or deleted. */
export function categoryPredicate({ byConditions, deleted, ...members }: ConditionalCategory): Predicate {
  const { conditions, shouldMatchAllConditions } = members;
  if (!byConditions || deleted || !Array.isArray(conditions)) return NEVER;
  const predicates = conditions.map(conditionPredicate);
  return {
    sql: sql.join(
      predicates.map((predicate) => predicate.sql),
      shouldMatchAllConditions ? sql` and ` : sql` or `,
    ),
    facts: predicates.flatMap(({ facts }) => facts),
  };
}

/** Plain SQL may have stored more values than a client may send. */
const storedCondition = categoryConditionInput.extend({
  valueList: list(categoryConditionInput.shape.valueList.element),
});

/** Plain SQL may have stored a condition that the service does not know. Such a one is never met. */
function conditionPredicate(stored: unknown): Predicate {
  const { success, data } = storedCondition.safeParse(stored);
  if (!success || data.conditionType === 'CAMPAIGN') return NEVER;
  const type = TYPES[data.conditionType];
  const isMet = data.method === 'NOT_IN' ? sql`is not true` : sql`is true`;
  return { sql: sql`(${type.meets(data.valueList)}) ${isMet}`, facts: [type.fact] };
}

function ids(type: ConditionType, values: readonly string[]): string[] {
  return values.flatMap((value) => idsIn(type, value));
}

function hasAny(member: Fact, ids: readonly string[], arrayOf: (ids: readonly string[]) => SQL): SQL {
  const among = sql`exists (select from unnest(${fact(member)}) as had(id) where had.id = any(${arrayOf(ids)}))`;
  if (ids.length > MAX_PAIRED_VALUES) return among;
  return whenFew(member, sql`${fact(member)} && ${arrayOf(ids)}`, among);
}

/** A value with several ids, such as those of a variant type and a value, needs all of them. */
function hasIdsOfAny(member: Fact, type: ConditionType, values: readonly string[]): SQL {
  const named = values.map((value) => [...new Set(idsIn(type, value))]);
  const single = hasAny(member, named.filter((ids) => ids.length === 1).flat(), textArray);
  const several = named.filter((ids) => ids.length > 1);
  if (several.length === 0) return single;
  const pairwise = several.map((ids) => sql`${fact(member)} @> ${textArray(ids)}`);
  return sql`${single} or ${whenFew(member, sql.join(pairwise, sql` or `), hasAllOfAny(member, several))}`;
}

function hasAllOfAny(member: Fact, several: readonly string[][]): SQL {
  const rows = several.flatMap((ids, value) => ids.map((id) => ({ id, value, size: ids.length })));
  return sql`exists (
    select from (select distinct id from unnest(${fact(member)}) as listed(id)) as had
    join json_to_recordset(${JSON.stringify(rows)}::json) as wanted(id text, value int, size int) on wanted.id = had.id
    group by wanted.value, wanted.size having count(*) = wanted.size)`;
}

/** One condition for products with few ids, another one for the others. */
function whenFew(member: Fact, few: SQL, many: SQL): SQL {
  return sql`case when cardinality(${fact(member)}) <= ${sql.raw(String(MAX_PAIRED_IDS))} then ${few} else ${many} end`;
}

/** Case, accents and spaces around a text do not matter. Empty texts say nothing of a name. */
function containsAny(values: readonly string[]): SQL {
  const texts = values.map(normalizedName).filter((text) => text !== '');
  return sql`${fact('name')} like any(array(select ${patternOf(sql`text`)} from unnest(${textArray(texts)}) as text))`;
}

/** No value is true. Of numbers, 0 is false. */
function truths(values: readonly string[]): string[] {
  const given = values.map((value) => value.trim()).filter((value) => value !== '');
  if (given.length === 0) return ['true'];
  return given.map((value) =>
    String(booleanOf(value) ?? (isNumberText(value) && Number(value.replace(',', '.')) !== 0)),
  );
}

function multirange(ranges: readonly string[]): SQL {
  return sql`${`{${ranges.join(',')}}`}`;
}
