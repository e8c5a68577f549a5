import { isId } from '../db/sql/id.ts';
import { booleanOf, isNumberText } from '../values/value-text.ts';
import type { CategoryInput } from './generated/category-input.ts';
import { boundsIn, PRICE, TIME } from './condition-range.ts';

export type ConditionType = NonNullable<CategoryInput['conditions']>[number]['conditionType'];

const ID_IN_TEXT = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** The types whose values name records by their ids. */
export type RecordConditionType = Extract<
  ConditionType,
  'CATEGORY' | 'PRODUCT_ATTRIBUTE' | 'PRODUCT_BRAND' | 'PRODUCT_TAG' | 'VARIANT_VALUE'
>;

type Rule = { accepts: (value: string) => boolean; message: string };

const anyText: Rule = { accepts: () => true, message: '' };

const RULES: Record<Exclude<ConditionType, RecordConditionType>, Rule> = {
  CAMPAIGN: anyText,
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
  PRODUCT_NAME: anyText,
};

/**
 * What the value has to be, or null if a condition of the type may have it. Only what is clearly of another kind is
 * refused.
 */
export function valueMistake(type: keyof typeof RULES, value: string): string | null {
  const { accepts, message } = RULES[type];
  return accepts(value.trim()) ? null : message;
}

/** All ids that a value names. Those of attributes and of variant values may be parts of a longer text. */
export function idsIn(type: string, value: string): string[] {
  const text = value.trim();
  if (type === 'PRODUCT_ATTRIBUTE' || type === 'VARIANT_VALUE') return [...text.matchAll(ID_IN_TEXT)].map(([id]) => id);
  return isId(text) ? [text] : [];
}
