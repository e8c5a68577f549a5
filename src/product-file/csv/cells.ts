import { AMOUNT_RULE, asAmount, asMeasure, MEASURE_RULE } from '../../values/decimal.ts';
import { underflows } from '../../values/json.ts';
import { normalizedName } from '../../values/text.ts';
import type { ImageLine, TypeLine } from '../line/product-line-input.ts';
import { booleanOf } from '../../values/value-text.ts';

/** Separates the names of a category path, as in Clothes > Shirts. */
const PATH_SEPARATOR = ' > ';

/** Numbers with separators of thousands, as languages write them: 1,234.5 and 1,234,567, or 1.234,5. */
const GROUPED_BY_COMMAS = /^-?\d{1,3}(?:(?:,\d{3})+\.\d+|(?:,\d{3}){2,})$/;
const GROUPED_BY_POINTS = /^-?\d{1,3}(?:\.\d{3})+,\d+$/;
const AMBIGUOUS = /^-?[1-9]\d{0,2},\d{3}$/;
const AMBIGUOUS_POINT = /^-?[1-9]\d{0,2}\.\d{3}$/;
/** A long number as spreadsheets show and store it. Its last digits are lost. */
const SHORTENED_NUMBER = /^\d(?:[.,]\d+)?E\+\d+$/i;

/** The apostrophe with which people make a spreadsheet keep digits as a text. */
const TEXT_MARK = /^'(?=\d+$)/;

/** White space alone, with or without apostrophes before it. */
const BLANK = /^'*\s*$/;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

const DECIMAL = /^(-?\d+(?:\.\d+)?|-?\.\d+)(?:e([+-]?\d{1,4}))?$/i;

/** Thrown for an invalid cell. The message says which content is expected. */
export class CellError extends Error {
  override readonly name = 'CellError';
}

/**
 * Texts are written as they are stored. An empty cell means null, and one with white space alone is read so too, because
 * spreadsheet programs show no difference: a stored text of this kind has an apostrophe before it.
 */
export function printText(text: string | null | undefined): string {
  return text != null && BLANK.test(text) ? `'${text}` : (text ?? '');
}

export function parseText(cell: string): string {
  return cell.startsWith("'") && BLANK.test(cell) ? cell.slice(1) : cell;
}

/** A source id or sku. One that looks like a shortened number has an apostrophe before it, because others are refused. */
export function printKey(key: string | null | undefined): string {
  return key != null && isShortened(key) ? `'${key}` : printText(key);
}

export function parseKey(cell: string): string {
  if (!isShortened(cell)) return parseText(cell);
  if (cell.startsWith("'")) return cell.slice(1);
  throw new CellError(`${shortened(cell)}. Write an apostrophe before it if it is the whole text`);
}

export function parseBoolean(cell: string): boolean {
  const value = booleanOf(cell);
  if (value !== null) return value;
  throw new CellError(`must be true or false, not ${quoted(cell)}`);
}

/** `shift` is a power of ten: grams with -3 become kilograms. */
export function parseDecimal(cell: string, shift = 0): number {
  const [, mantissa, exponent = '0'] = DECIMAL.exec(withDecimalPoint(cell.trim())) ?? [];
  if (mantissa === undefined) throw new CellError(`must be a number such as 19.90, not ${quoted(cell)}`);
  const text = `${mantissa}e${Number(exponent) + shift}`;
  if (underflows(text)) throw new CellError(`must be 0 or a larger number, not ${quoted(cell)}`);
  return Number(text);
}

/** `1,5` and `1.234,50` are read as 1.5 and 1234.50. `1,234` could be either, and is refused. A point is a decimal point. */
function withDecimalPoint(cell: string): string {
  if (!cell.includes(',')) return cell;
  if (GROUPED_BY_COMMAS.test(cell)) return cell.replaceAll(',', '');
  if (GROUPED_BY_POINTS.test(cell)) return cell.replaceAll('.', '').replace(',', '.');
  if (AMBIGUOUS.test(cell)) throw unclear(cell, cell.replace(',', ''), cell.replace(',', '.'));
  return cell.replace(',', '.');
}

/** In a sheet with decimal commas, `1.234` is 1234, or a number that a program has written without them. */
export function refuseUnclearPoint(cell: string): void {
  const number = cell.trim();
  if (AMBIGUOUS_POINT.test(number)) throw unclear(number, number.replace('.', ''), number);
}

function unclear(cell: string, one: string, other: string): CellError {
  return new CellError(`must be a number that is clear: ${quoted(cell)} could be ${one} or ${other}`);
}

/** Rounded like stored money, counts and quantities, so that an unchanged file changes nothing. */
export function parseAmount(cell: string): number {
  const amount = asAmount(parseDecimal(cell));
  if (amount === null) throw new CellError(`${AMOUNT_RULE}, not ${quoted(cell)}`);
  return amount;
}

/** Rounded like stored weights and sort positions. */
export function parseMeasure(cell: string, shift = 0): number {
  const measure = asMeasure(parseDecimal(cell, shift));
  if (measure === null) throw new CellError(`${MEASURE_RULE}, not ${quoted(cell)}`);
  return measure;
}

/** The shortest text that `parseDecimal` reads as the same number. */
export function printDecimal(value: number | null, shift = 0): string {
  if (value === null) return '';
  const [mantissa, exponent = '0'] = String(value).split('e');
  const exact = `${mantissa}e${Number(exponent) + shift}`;
  const short = String(Number(exact));
  return parseDecimal(short, -shift) === value ? short : exact;
}

/** A list in one cell: JSON if plain text would be ambiguous. */
export function parseTags(cell: string): string[] {
  const names = parseJsonList(cell, isText) ?? cell.split(',');
  return [...new Set(names.map(normalizedName).filter((name) => name !== ''))];
}

export function printTags(tags: readonly string[]): string {
  return plainOrJson(tags, tags.join(', '), parseTags);
}

export function parseBarcodes(cell: string): string[] {
  const list = parseJsonList(cell, isText);
  if (list) return list;
  const barcode = cell.trim().replace(TEXT_MARK, '');
  if (SHORTENED_NUMBER.test(barcode)) throw new CellError(shortened(barcode));
  return barcode === '' ? [] : [barcode];
}

export function printBarcodes(barcodes: readonly string[]): string {
  const [first = ''] = barcodes;
  return SHORTENED_NUMBER.test(first.trim()) ? JSON.stringify(barcodes) : plainOrJson(barcodes, first, parseBarcodes);
}

/** Category paths: a single path with > between names, several as JSON. */
export function parseCategories(cell: string): string[][] {
  const paths = parseJsonList(cell, (entry) => Array.isArray(entry) && entry.every(isText)) as string[][] | undefined;
  const found = (paths ?? [cell.split(PATH_SEPARATOR)]).map((names) =>
    names.map(normalizedName).filter((name) => name !== ''),
  );
  return found.filter((names) => names.length > 0);
}

export function printCategories(paths: readonly (readonly string[])[]): string {
  return plainOrJson(paths, (paths[0] ?? []).join(PATH_SEPARATOR), parseCategories);
}

type CsvImage = { url: string; isMain: boolean; isVideo: boolean; order: number };

/** All pictures of one variant as JSON; undefined if the cell is a plain URL. */
export function parseImages(cell: string): ImageLine[] | undefined {
  const found = parseJsonList(cell, isImage) as CsvImage[] | undefined;
  return found?.map(({ url, ...image }) => ({ imageUrl: url, ...image }));
}

export function printImages(images: readonly ImageLine[]): string {
  return JSON.stringify(images.map(({ imageUrl: url, ...image }) => ({ url, ...image })));
}

type CsvVariantType = { name: string; order: number; values: string[] };

export function parseVariantTypes(cell: string): TypeLine[] {
  const found = parseJsonList(cell, isVariantType) as CsvVariantType[] | undefined;
  if (!found) throw new CellError('must be a JSON list of {"name", "order", "values"}');
  return found.map(({ name, order, values }) => ({
    order,
    variantTypeName: normalizedName(name),
    variantValues: values.map((value) => ({ name: normalizedName(value) })),
  }));
}

export function printVariantTypes(types: readonly TypeLine[]): string {
  const printed = types.map(({ variantTypeName, order, variantValues }) => ({
    name: variantTypeName,
    order,
    values: variantValues.map(({ name }) => name),
  }));
  return JSON.stringify(printed);
}

/** Only with a time zone: spreadsheet programs write local times, which could be newer than the shop's. */
export function parseTime(cell: string): number {
  const time = TIME.test(cell.trim()) ? Date.parse(cell) : Number.NaN;
  if (Number.isNaN(time)) throw new CellError(`must be a time such as 2026-01-31T12:00:00Z, not ${quoted(cell)}`);
  return time;
}

/** Whether the cell is a shortened number, with or without apostrophes before it. */
function isShortened(cell: string): boolean {
  return SHORTENED_NUMBER.test(cell.replace(/^'+/, '').trim());
}

function shortened(cell: string): string {
  return `must have all digits: a spreadsheet has shortened them to ${quoted(cell)}`;
}

export function quoted(cell: string): string {
  return JSON.stringify(cell.length > 40 ? `${cell.slice(0, 40)}…` : cell);
}

function plainOrJson(value: readonly unknown[], plain: string, parse: (cell: string) => unknown): string {
  const json = JSON.stringify(value);
  return JSON.stringify(parse(plain)) === json ? plain : json;
}

function parseJsonList<Entry>(cell: string, isEntry: (entry: unknown) => entry is Entry): Entry[] | undefined;
function parseJsonList(cell: string, isEntry: (entry: unknown) => boolean): unknown[] | undefined;
function parseJsonList(cell: string, isEntry: (entry: unknown) => boolean): unknown[] | undefined {
  if (!cell.trimStart().startsWith('[')) return undefined;
  try {
    const list: unknown = JSON.parse(cell);
    return Array.isArray(list) && list.every((entry) => isEntry(entry)) ? list : undefined;
  } catch {
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isImage(value: unknown): boolean {
  const { url, isMain, isVideo, order } = (value ?? {}) as Partial<CsvImage>;
  return isText(url) && typeof isMain === 'boolean' && typeof isVideo === 'boolean' && typeof order === 'number';
}

function isVariantType(value: unknown): boolean {
  const { name, order, values } = (value ?? {}) as Partial<CsvVariantType>;
  return isText(name) && typeof order === 'number' && Array.isArray(values) && values.every(isText);
}
