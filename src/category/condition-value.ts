import { isId } from '../db/sql/id.ts';
import { booleanOf, isNumberText, isTimeText, jsonOf } from '../value-text.ts';
import type { CategoryInput } from './category-input.ts';

export type ConditionType = NonNullable<CategoryInput['conditions']>[number]['conditionType'];

/** Separates the bounds of a range; a hyphen within a date does not. */
const TIME_BOUNDS = /[,;|~]|\.\.|\s[-–]\s/;
const PRICE_BOUNDS = /[;:|~–-]|\.\.|,\s|\s(?=\d)/;
const MAX_BOUNDS = 2;
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
    accepts: (value) => isRange(value, TIME_BOUNDS, (bound) => isTimeText(bound) || isNumberText(bound)),
    message: 'must be a date, such as 2026-01-31',
  },
  DISCOUNTED_PRODUCTS: {
    accepts: (value) => value === '' || booleanOf(value) !== null || isNumberText(value),
    message: 'must be true or false',
  },
  PRICE_RANGE: {
    accepts: (value) => isRange(value, PRICE_BOUNDS, isNumberText),
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

/** The id that a value names, or null. Texts around the id of an attribute or a variant value are the client's own. */
export function idIn(type: ConditionType, value: string): string | null {
  const text = value.trim();
  if (type === 'PRODUCT_ATTRIBUTE' || type === 'VARIANT_VALUE') return ID_IN_TEXT.exec(text)?.[0] ?? null;
  return isId(text) ? text : null;
}

/** A bound may be left out, and so may both: clients send an empty text for one that is open. */
function isRange(value: string, marks: RegExp, isBound: (text: string) => boolean): boolean {
  if (value === '' || isBound(value)) return true;
  const content = jsonOf(value);
  const parts: unknown[] =
    typeof content === 'object' && content !== null ? Object.values(content) : value.split(marks);
  const bounds = parts.map(textOf).filter((text) => text !== '');
  return bounds.length > 0 && bounds.length <= MAX_BOUNDS && bounds.every(isBound);
}

function textOf(part: unknown): string {
  if (part === null) return '';
  return typeof part === 'string' ? part.trim() : JSON.stringify(part);
}
