import { withoutRoundingError } from '../values/decimal.ts';
import { EARLIEST_MS, LATEST_MS, timestamptzText } from '../values/timestamp.ts';
import { instantsOf, isNumberText, isTimeText, jsonOf } from '../values/value-text.ts';

/** The bounds in a value: one text, or two of which an empty one is open. */
type Bounds = readonly [string] | readonly [string, string];

/** What a type of condition compares: the texts that separate two bounds, and those that are one. */
export type RangeKind = {
  separators: RegExp;
  isBound: (text: string) => boolean;
  /** Text of the Postgres range from the start of one bound to the end of the other; null if it is outside of all. */
  range: (from: string, to: string) => string | null;
};

/** `1 000` is refused: it means a thousand, and would be read as the bounds 1 and 000. */
const SPACED_THOUSANDS = /^[+-]?\d{1,3}(?:\s\d{3})+(?!\d)/;
const UPPER_MEMBER = /^(?:max|to|end|until|lte?)/i;

/**
 * Creation times, as `timestamptz` ranges. A hyphen within a date does not separate. A bound before the first or after
 * the last time that can be written is open, because all products are on one side of it.
 */
export const TIME: RangeKind = {
  separators: /[,;|~]|\.\.|\s[-–]\s/,
  // Two numbers with a comma between them are a range: a number of milliseconds needs no decimal comma.
  isBound: (text) => isTimeText(text) || (isNumberText(text) && !text.includes(',')),
  range: (from, to) => {
    const [start, end] = ordered(from, to, (text) => instants(text).from);
    const lower = start === '' ? -Infinity : instants(start).from;
    const upper = end === '' ? Infinity : instants(end).to;
    if (lower > LATEST_MS || upper <= EARLIEST_MS) return null;
    return `[${timestamptzText(lower) ?? ''},${timestamptzText(upper) ?? ''})`;
  },
};

/** Prices, as `numeric` ranges. A number too large for JavaScript is an open upper bound. */
export const PRICE: RangeKind = {
  separators: /[;:|~–-]|\.\.|,\s|\s(?=\d)/,
  isBound: isNumberText,
  range: (from, to) => {
    const [start, end] = ordered(from, to, priceOf);
    const lower = start === '' ? -Infinity : priceOf(start);
    const upper = end === '' ? Infinity : priceOf(end);
    if (lower === Infinity || upper === -Infinity) return null;
    return `[${finiteText(lower)},${finiteText(upper)}]`;
  },
};

/**
 * The Postgres ranges that the values of a condition describe together. Two values that are one bound each are the
 * bounds of one range; an empty one is open. If all are empty, every value matches.
 */
export function rangesOf(values: readonly string[], kind: RangeKind): string[] {
  const given = values.flatMap((value) => {
    const bounds = boundsIn(value.trim(), kind);
    return bounds ? [bounds] : [];
  });
  const [first, second, ...others] = given;
  const ranges =
    first?.length === 1 && second?.length === 1 && others.length === 0
      ? [kind.range(first[0], second[0])]
      : given
          .filter((bounds) => isSomeBound(bounds) || !given.some(isSomeBound))
          .map((bounds) => rangeOf(bounds, kind));
  return ranges.filter((range) => range !== null);
}

function rangeOf([from, to = from]: Bounds, { range }: RangeKind): string | null {
  return range(from, to);
}

function isSomeBound(bounds: Bounds): boolean {
  return bounds.some((text) => text !== '');
}

/** The bounds that a value names, or null if it names none. Clients send an empty text for one that is open. */
export function boundsIn(value: string, kind: RangeKind): Bounds | null {
  if (kind === PRICE && SPACED_THOUSANDS.test(value)) return null;
  if (kind === PRICE && value.startsWith('-') && isNumberText(value)) return ['', value.slice(1)];
  if (value === '' || kind.isBound(value)) return [value];
  const parts = partsOf(value, kind);
  const given = parts.filter((text) => text !== '');
  if (given.length === 0 || given.length > 2 || !given.every(kind.isBound)) return null;
  if (given.length === 2) return [given[0]!, given[1]!];
  return parts[0] === '' ? ['', given[0]!] : [given[0]!, ''];
}

/** The texts of a list or an object in JSON, or between separators. A member such as `max` alone is the upper bound. */
function partsOf(value: string, { separators }: RangeKind): string[] {
  const content = jsonOf(value);
  if (typeof content !== 'object' || content === null) return value.split(separators).map((part) => part.trim());
  const members = Object.entries(content).map(([name, part]) => [name, textOf(part)] as const);
  const given = members.filter(([, text]) => text !== '');
  const isUpper = given.length === 1 && !Array.isArray(content) && UPPER_MEMBER.test(given[0]![0]);
  return [...(isUpper ? [''] : []), ...members.map(([, text]) => text)];
}

function textOf(part: unknown): string {
  if (part === null) return '';
  return typeof part === 'string' ? part.trim() : JSON.stringify(part);
}

/** The smaller one first; an empty one stays where it is. */
function ordered(from: string, to: string, value: (text: string) => number): [string, string] {
  return from !== '' && to !== '' && value(from) > value(to) ? [to, from] : [from, to];
}

function numberOf(text: string): number {
  return Number(text.trim().replace(',', '.'));
}

function priceOf(text: string): number {
  return withoutRoundingError(numberOf(text));
}

function finiteText(value: number): string {
  return Number.isFinite(value) ? String(value) : '';
}

function instants(text: string): { from: number; to: number } {
  if (isTimeText(text)) return instantsOf(text);
  const ms = Math.floor(numberOf(text));
  return { from: ms, to: ms + 1 };
}
