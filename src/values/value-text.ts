/** Texts that stand for numbers, times and truth values, in the forms in which clients write them. */

const TRUE = ['true', 'yes', '1'];
const FALSE = ['false', 'no', '0'];

/** A number with a point or a comma before its decimals, and without separators of thousands. */
const NUMBER = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d{1,3})?$/i;

const EPOCH_MS = /^-?\d{8,15}$/;
const YEAR_FIRST = /^(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})$/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/;
const TIME = /^(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?\s*(?:Z|UTC|GMT|[+-]\d{2}:?(?:\d{2})?)?$/i;
const CLOCK = /^([\d:.,]+)\s*(.*)$/;
const MAX_TIME_TEXT_LENGTH = 64;
const DAY_MS = 24 * 60 * 60_000;

/** Null if the text is neither true nor false. */
export function booleanOf(text: string): boolean | null {
  const word = text.trim().toLowerCase();
  if (TRUE.includes(word)) return true;
  return FALSE.includes(word) ? false : null;
}

export function isNumberText(text: string): boolean {
  return NUMBER.test(text.trim());
}

/**
 * Whether the text is a day of the calendar, with or without a time of day. The day is written as in ISO 8601, or with
 * the year last; a number is milliseconds since the epoch.
 */
export function isTimeText(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > MAX_TIME_TEXT_LENGTH) return false;
  const [day, time] = splitOnce(trimmed, /[T\s]/i);
  return EPOCH_MS.test(trimmed) || (isDay(day) && (time === null || TIME.test(time)));
}

/**
 * The period of time, in milliseconds since the epoch, that a text describes for which `isTimeText` is true. `from` is
 * its first instant, `to` the first instant after it.
 */
export function instantsOf(text: string): { from: number; to: number } {
  const trimmed = text.trim();
  const [day, time] = splitOnce(trimmed, /[T\s]/i);
  if (!isDay(day)) return { from: Number(trimmed), to: Number(trimmed) + 1 };
  const start = Date.parse(`${isoDay(day)}T00:00:00Z`);
  if (time === null) return { from: start, to: start + DAY_MS };
  const [, clock, zone] = CLOCK.exec(time)!;
  const [hours, minutes, seconds = '0'] = clock!.replace(',', '.').split(':');
  const at = start + ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000 - offsetMs(zone!);
  return { from: Math.floor(at), to: Math.floor(at) + 1 };
}

/** Converts a day to ISO 8601. If both the day and the month could be first, as in 01/02/2026, the first is the day. */
function isoDay(text: string): string {
  const [, year, , month, day] = YEAR_FIRST.exec(text) ?? [];
  const [, first, , second, last] = YEAR_LAST.exec(text) ?? [];
  if (year !== undefined) return [year, padded(month), padded(day)].join('-');
  const parts = exists(last, second, first) ? [second, first] : [first, second];
  return [last, ...parts.map(padded)].join('-');
}

function padded(part: string | undefined): string {
  return part!.padStart(2, '0');
}

/**
 * The offset of a time zone such as `+02:00`, `+0200` or `+02`. It is 0 for UTC, GMT and Z, and if there is no zone.
 */
function offsetMs(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
}

function splitOnce(text: string, separator: RegExp): [string, string | null] {
  const at = text.search(separator);
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + 1).trim()];
}

function isDay(text: string): boolean {
  const first = YEAR_FIRST.exec(text);
  if (first) return exists(first[1], first[3], first[4]);
  const last = YEAR_LAST.exec(text);
  // Either number may be the day, because the order of day and month depends on the country.
  return last !== null && (exists(last[4], last[3], last[1]) || exists(last[4], last[1], last[3]));
}

function exists(...parts: (string | undefined)[]): boolean {
  const [year, month, day] = parts.map(Number) as [number, number, number];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** A text with more parts is not treated as a list, because comparing each part would take too long. */
const MAX_PARTS = 1_000;

/**
 * The parts of a text that may be a list: the entries of a JSON list of texts and numbers, or what the marks separate.
 * A text without marks is one part, and so is a text with more than MAX_PARTS parts.
 */
export function partsOf(text: string, marks: RegExp): string[] {
  const parts = listOf(text) ?? text.split(marks, MAX_PARTS + 1);
  if (parts.length > MAX_PARTS) return [text];
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Null if the text is not a JSON list of texts and numbers. */
function listOf(text: string): string[] | null {
  const list = text.startsWith('[') ? jsonOf(text) : null;
  if (!Array.isArray(list)) return null;
  return list.every((part) => typeof part === 'string' || typeof part === 'number') ? list.map(String) : null;
}

/** Undefined if the text is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
