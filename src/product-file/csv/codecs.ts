import { productTypeEnum } from '../../../drizzle/generated/enums.ts';
import { normalizedName } from '../../values/text.ts';
import type { Shape } from '../line/product-line-input.ts';
import { exceededLimit } from '../line/json-limits.ts';
import {
  CellError,
  parseAmount,
  parseBarcodes,
  parseBoolean,
  parseCategories,
  parseKey,
  parseMeasure,
  parseTags,
  parseText,
  parseTime,
  printBarcodes,
  printCategories,
  printDecimal,
  printKey,
  printTags,
  printText,
  quoted,
} from './cells.ts';

/**
 * How the values of a member are written in cells. `empty` is the value of an empty cell, null if it is left out.
 * `isValue`: numbers, or true and false, which spreadsheet programs may write in another form. `isKey`: a number that a
 * spreadsheet has shortened is refused.
 */
export type Codec<Value = unknown> = {
  isValue?: true;
  isKey?: true;
  print: (value: Value | null) => string;
  parse: (cell: string, shape: Shape) => unknown;
  empty?: Value;
};

export const text: Codec<string> = { print: printText, parse: parseText };
export const key: Codec<string> = { isKey: true, print: printKey, parse: parseKey };
export const amount: Codec<number> = { isValue: true, print: (value) => printDecimal(value), parse: parseAmount };
export const measure: Codec<number> = {
  isValue: true,
  print: (value) => printDecimal(value),
  parse: (cell) => parseMeasure(cell),
};
export const json: Codec = { print: printValue, parse: parseValue };
/** Spreadsheet programs change `true` to `TRUE`. */
export const boolean: Codec<boolean> = { isValue: true, print: printValue, parse: parseBoolean };
export const grams: Codec<number> = {
  isValue: true,
  print: (value) => printDecimal(value, 3),
  parse: (cell) => parseMeasure(cell, -3),
};
export const label: Codec<string> = { print: (name) => name ?? '', parse: normalizedName };
export const time: Codec<string> = {
  print: (text) => text ?? '',
  parse: (cell) => new Date(parseTime(cell)).toISOString(),
};
export const productType: Codec<string> = { print: (type) => type ?? '', parse: parseProductType };
export const tags: Codec<{ name: string }[]> = {
  print: (list) => printTags((list ?? []).map(({ name }) => name)),
  parse: (cell) => parseTags(cell).map((name) => ({ name })),
  empty: [],
};
export const categories: Codec<{ name: string[] }[]> = {
  print: (list) => printCategories((list ?? []).map(({ name }) => name)),
  parse: (cell) => parseCategories(cell).map((name) => ({ name })),
  empty: [],
};
export const barcodes: Codec<string[]> = {
  isKey: true,
  print: (list) => printBarcodes(list ?? []),
  parse: parseBarcodes,
  empty: [],
};
/** Whether a variant is sold when it is out of stock, in the words of Shopify. */
export const inventoryPolicy: Codec<boolean> = {
  print: (isSold) => (isSold === null ? '' : isSold ? 'continue' : 'deny'),
  parse: (cell) => {
    const policy = cell.trim().toLowerCase();
    return policy === 'continue' || policy === 'deny' ? policy === 'continue' : parseBoolean(cell);
  },
};

function parseProductType(cell: string): string {
  const type = productTypeEnum.find((name) => name === cell.trim().toUpperCase());
  if (type) return type;
  throw new CellError(`must be one of ${productTypeEnum.join(', ')}, not ${quoted(cell)}`);
}

/**
 * The cell for a value: a text is written as it is, unless it would be read as JSON; everything else is written as
 * JSON.
 */
function printValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' && readsAsItself(value) ? value : JSON.stringify(value);
}

function readsAsItself(text: string): boolean {
  return text.trim() !== '' && !/^\s*["[{]/.test(text) && !['true', 'false', 'null'].includes(text.trim());
}

export function parseValue(cell: string, shape: Shape): unknown {
  const result = shape.safeParse(readsAsItself(cell) ? cell : parseJson(cell));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue!.path.length > 0 ? `${issue!.path.join('.')}: ` : '';
  throw new CellError(`is not as exports write it (${path}${issue!.message}): ${quoted(cell)}`);
}

function parseJson(cell: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(cell);
  } catch {
    throw new CellError(`must be JSON, not ${quoted(cell)}`);
  }
  const limit = exceededLimit(value);
  if (limit !== null) throw new CellError(limit);
  return value;
}
