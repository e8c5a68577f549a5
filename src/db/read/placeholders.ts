import type { SharedRecords } from './shared-records.ts';

/** Makes of a stored value, as its text stands in a record's, the JSON text that GraphQL answers. */
export type FillPlaceholder = (stored: string, page: SharedRecords) => string;

/**
 * A slot is a place in the JSON text of a record where Postgres has put a value that is not JSON as GraphQL answers it: an id
 * of which the record is wanted, or a document of which some members are. It begins with a control character, which no JSON
 * text has, and a character for the number of its function, and ends with another one.
 */
const START = '\u0002';
const END = '\u0003';
const FIRST_NUMBER = 0x30;
const MAX_PLACEHOLDERS = 64;

/** What stands before the value, and behind it. */
export function placeholderText(number: number): [before: string, behind: string] {
  if (number >= MAX_PLACEHOLDERS) throw new Error(`A selection has more than ${MAX_PLACEHOLDERS} slots.`);
  return [START + String.fromCharCode(FIRST_NUMBER + number), END];
}

/** The text with all slots filled. Measured: a third of the time of parsing it, replacing the values and writing it again. */
export function fillPlaceholders(text: string, fills: readonly FillPlaceholder[], page: SharedRecords): string {
  let start = text.indexOf(START);
  if (start === -1) return text;
  let filled = '';
  let end = 0;
  for (; start !== -1; start = text.indexOf(START, end)) {
    const stop = text.indexOf(END, start);
    const fill = fills[text.charCodeAt(start + 1) - FIRST_NUMBER]!;
    filled += text.slice(end, start) + fill(text.slice(start + 2, stop), page);
    end = stop + 1;
  }
  return filled + text.slice(end);
}
