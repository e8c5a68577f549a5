/** The value of a member for people: a text without quotation marks, anything else as JSON, and a dash for none. */
export function valueText(json: string | null): string {
  if (json === null) return '–';
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' && value !== '' ? value : json;
}

/** Values are shown as a difference if both are texts and one is longer. */
const MAX_WHOLE = 80;

/** True if the difference of two values is easier to read than both. */
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
