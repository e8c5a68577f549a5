import type { productAttribute } from '../../drizzle/attribute.ts';
import { isId } from '../db/sql/id.ts';
import { MAX_COMPOSED, MAX_NAME_LENGTH } from '../field-input.ts';
import { isLonger, normalizedName } from '../values/text.ts';
import { booleanOf, isNumberText, isTimeText, partsOf } from '../values/value-text.ts';
import { fitsTable, type Table } from './table-value.ts';

/** An attribute for which values are checked. `options`: the ids of its options that are not deleted, by `optionsByText`. */
export type ValuedAttribute = {
  type: (typeof productAttribute.$inferSelect)['type'];
  options: ReadonlyMap<string, string>;
  table: Table | null;
};

type Rule = {
  accepts: (value: string, attribute: ValuedAttribute, products: ReadonlySet<string>) => boolean;
  message: string;
};

const LIST_MARKS = /[,;|]/;
const COLOR = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;
const ADDRESS = /^https?:\/\/\S+$/i;

const number: Rule = { accepts: isNumberText, message: 'must be a number, such as -12.5' };
const boolean: Rule = { accepts: (value) => booleanOf(value) !== null, message: 'must be true or false' };
const date: Rule = { accepts: isTimeText, message: 'must be a date, such as 2026-01-31' };
const dateTime: Rule = { accepts: isTimeText, message: 'must be a date and time, such as 2026-01-31T12:00:00Z' };
const choice: Rule = { accepts: isOption, message: 'must be an option of the attribute, by name or id' };
const choices: Rule = { accepts: areOptions, message: 'must be one or more options of the attribute, by name or id' };
const colors: Rule = {
  accepts: (value, attribute) => COLOR.test(value) || areOptions(value, attribute),
  message: 'must be a color such as #1a2b3c, or options of the attribute, by name or id',
};
const products: Rule = {
  accepts: (value, _, known) => productIdsIn(value).every((id) => known.has(id)),
  message: 'must be the id of a product',
};
const images: Rule = {
  // An address may contain the marks.
  accepts: (value) =>
    ADDRESS.test(value) || partsOf(value, LIST_MARKS).every((part) => isId(part) || ADDRESS.test(part)),
  message: 'must be the id or the address of an image',
};
const table: Rule = {
  accepts: (value, { table }) => fitsTable(value, table),
  message: 'must be JSON with cells of the rows and columns of the attribute',
};
const anyText: Rule = { accepts: () => true, message: '' };

const RULES: Record<ValuedAttribute['type'], Rule> = {
  BOOLEAN: boolean,
  CHOICE: choice,
  COLOR_THUMBNAIL_MULTIPLE_CHOICE: colors,
  DATE: date,
  DATETIME: dateTime,
  HTML: anyText,
  IMAGE: images,
  MULTIPLE_CHOICE: choices,
  NUMERIC: number,
  PRODUCT: products,
  TABLE: table,
  TEXT: anyText,
};

/**
 * Returns an error message if the text cannot be a value of the attribute, and null if it can. Only a text that is
 * clearly of another kind is refused. `products` has those ids of `productIdsIn(value)` whose products exist.
 */
export function valueMistake(value: string, attribute: ValuedAttribute, products: ReadonlySet<string>): string | null {
  const { accepts, message } = RULES[attribute.type];
  return accepts(value.trim(), attribute, products) ? null : message;
}

/**
 * Returns the parts of a value of an attribute of the type PRODUCT. Each should be the id of a product, but may be any
 * text.
 */
export function productIdsIn(value: string): string[] {
  return partsOf(value, LIST_MARKS);
}

/**
 * The ids of options by the texts that identify them in a value: the id and the name, and both in the form of `nameKey`.
 * The exact name of one option may be the key of another one. Of several with one name it is the oldest.
 */
export function optionsByText(options: readonly { id: string; name: string }[]): Map<string, string> {
  const oldestLast = options.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const texts = oldestLast.flatMap(({ id, name }): [string, string][] => [
    [name, id],
    [id, id],
  ]);
  return new Map([...texts.map(([text, id]): [string, string] => [nameKey(text), id]), ...texts]);
}

/** The id of the option that the text of a value names, if there is one. */
export function optionOf(value: string, { options }: Pick<ValuedAttribute, 'options'>): string | undefined {
  return options.get(normalizedName(value)) ?? options.get(nameKey(value));
}

/** An attribute without options accepts every text. */
function isOption(value: string, attribute: Pick<ValuedAttribute, 'options'>): boolean {
  return attribute.options.size === 0 || optionOf(value, attribute) !== undefined;
}

function areOptions(value: string, attribute: ValuedAttribute): boolean {
  return isOption(value, attribute) || partsOf(value, LIST_MARKS).every((part) => isOption(part, attribute));
}

/**
 * Converts a name to the form in which names of options are compared. In Turkish "ı" is the small "I" and "İ" the capital
 * "i": all four count as one letter, because the language of a name is unknown. So do "ß" and "ss", "ς" and "σ".
 */
export function nameKey(name: string): string {
  // A longer text is no name, and changing the case of 64 kB takes milliseconds.
  if (isLonger(name, MAX_COMPOSED * MAX_NAME_LENGTH)) return name;
  return normalizedName(name).toLowerCase().toUpperCase().replaceAll('I\u0307', 'I');
}
