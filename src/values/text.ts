/** As in the Stream-Safe Text Format of Unicode (UAX 15), which is more than any script needs. */
export const MAX_MARKS = 30;
const TOO_MANY_MARKS = /\p{M}{31}/u;

/**
 * Whether more combining marks follow one another than may be stored. Normalizing sorts them, in V8 and in PostgreSQL in
 * a time that is quadratic in their number: 80,000 take 6 s, in which no other request is served.
 */
export function hasTooManyMarks(text: string): boolean {
  return TOO_MANY_MARKS.test(text);
}

/** Names are stored in Unicode form NFC and trimmed, so that names that look the same are equal. */
export function normalizedName(text: string): string {
  return (hasTooManyMarks(text) ? text : text.normalize('NFC')).trim();
}

/** Counts only if it has to: a code point has one or two UTF-16 units. */
export function isLonger(text: string, max: number): boolean {
  return text.length > 2 * max || (text.length > max && codePoints(text) > max);
}

/** Makes no array: that of a text of 10 MB takes 90 MB. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
