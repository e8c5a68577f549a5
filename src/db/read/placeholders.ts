import type { SharedRecords } from './shared-records.ts';

/** Turns the stored value into the JSON text of the answer. */
export type FillPlaceholder = (stored: string, page: SharedRecords) => string;

/**
 * A placeholder is a value inside a record's JSON text that Node has to complete: an id whose record is selected, or
 * a document of which some members are. Format: \x02, one character for the number of the function, the value, \x03.
 * Valid JSON never contains these control characters.
 */
const START = '\u0002';
const END = '\u0003';
const FIRST_NUMBER = 0x30;
const MAX_PLACEHOLDERS = 64;

/** The texts before and after the value. */
export function placeholderText(number: number): [before: string, behind: string] {
  if (number >= MAX_PLACEHOLDERS) throw new Error(`A selection has more than ${MAX_PLACEHOLDERS} slots.`);
  return [START + String.fromCharCode(FIRST_NUMBER + number), END];
}

/**
 * Replaces all placeholders. Measured: a third of the time of parsing the text, replacing values and writing it
 * again.
 */
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
