import { isId } from '../db/sql/id.ts';
import { booleanOf, isNumberText } from '../value-text.ts';
import type { CategoryInput } from './category-input.ts';
import { boundsIn, PRICE, TIME } from './condition-range.ts';

export type ConditionType = NonNullable<CategoryInput['conditions']>[number]['conditionType'];

const ID_IN_TEXT = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;

type Rule = { accepts: (value: string, namesRecord: boolean) => boolean; message: string };

const anyText: Rule = { accepts: () => true, message: '' };
const record = (kind: string): Rule => ({
  accepts: (_, namesRecord) => namesRecord,
  message: `must be the id of ${kind}`,
});

const RULES: Record<ConditionType, Rule> = {
  CAMPAIGN: anyText,
  CATEGORY: record('a category'),
  CREATED_AT: {
    accepts: (value) => boundsIn(value, TIME) !== null,
    message: 'must be a date, such as 2026-01-31',
  },
  DISCOUNTED_PRODUCTS: {
    accepts: (value) => value === '' || booleanOf(value) !== null || isNumberText(value),
    message: 'must be true or false',
  },
  PRICE_RANGE: {
    accepts: (value) => boundsIn(value, PRICE) !== null,
    message: 'must be a price or a range of prices, such as 10-20',
  },
  PRODUCT_ATTRIBUTE: record('an attribute or of an option'),
  PRODUCT_BRAND: record('a brand'),
  PRODUCT_NAME: anyText,
  PRODUCT_TAG: record('a tag'),
  VARIANT_VALUE: record('a variant value'),
};

/**
 * What the value has to be, or null if a condition of the type may have it. Only what is clearly of another kind is
 * refused. `namesRecord`: the id in the value is that of a record.
 */
export function valueMistake(type: ConditionType, value: string, namesRecord: boolean): string | null {
  const { accepts, message } = RULES[type];
  return accepts(value.trim(), namesRecord) ? null : message;
}

/** The first id in a value, or null. The id of an attribute or variant value may be part of a longer text. */
export function idIn(type: ConditionType, value: string): string | null {
  const text = value.trim();
  if (type === 'PRODUCT_ATTRIBUTE' || type === 'VARIANT_VALUE') return ID_IN_TEXT.exec(text)?.[0] ?? null;
  return isId(text) ? text : null;
}

/** All ids that a value names. */
export function idsIn(type: ConditionType, value: string): string[] {
  const text = value.trim();
  if (type === 'PRODUCT_ATTRIBUTE' || type === 'VARIANT_VALUE')
    return [...text.matchAll(new RegExp(ID_IN_TEXT, 'g'))].map(([id]) => id);
  return isId(text) ? [text] : [];
}
