/** The names of members that are times in milliseconds since 1970. */
const TIME = /(At|Date|Until)$/;

/** The value of a member for people: a text without quotation marks, a time in UTC, a dash for none, else as JSON. */
export function valueText(path: string, json: string | null): string {
  if (json === null) return '–';
  const value: unknown = JSON.parse(json);
  if (typeof value === 'number' && TIME.test(path)) return timeText(value) ?? json;
  return typeof value === 'string' && value !== '' ? value : json;
}

function timeText(ms: number): string | null {
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** The longest JSON text that is shown whole. If one of two values is longer, their difference is shown. */
const MAX_WHOLE = 80;

/** Whether the difference of two values is shown in place of both. */
export function isLong(before: string | null, after: string | null): boolean {
  return before !== null && after !== null && Math.max(before.length, after.length) > MAX_WHOLE;
}

/** Characters that are shown of the unchanged text at each side of a difference. */
const SHOWN_BESIDE = 60;

/** A long unchanged text without its middle. */
export function shortened(text: string): string {
  if (text.length <= 3 * SHOWN_BESIDE) return text;
  return `${text.slice(0, SHOWN_BESIDE)} … ${text.slice(-SHOWN_BESIDE)}`;
}

/** Characters that are shown of a long value before all of it is asked for. A plan can have thousands of long values. */
const MAX_SHOWN = 1_000;

/** Two texts, of which at most MAX_SHOWN characters are left, from shortly before their first difference. */
export function excerpts(before: string, after: string): [before: string, after: string] {
  if (Math.max(before.length, after.length) <= MAX_SHOWN) return [before, after];
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const start = Math.max(0, same - SHOWN_BESIDE);
  return [excerpt(before, start), excerpt(after, start)];
}

function excerpt(text: string, start: number): string {
  const end = start + MAX_SHOWN;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end).toWellFormed()}${text.length > end ? '…' : ''}`;
}
