import type { SharedRecords } from './shared-records.ts';

/** Makes of a stored value, as its text stands in a record's, the JSON text that GraphQL answers. */
export type Fill = (stored: string, page: SharedRecords) => string;

/**
 * A slot is a place in the JSON text of a record where Postgres has put a value that is not JSON as GraphQL answers it: an id
 * of which the record is wanted, or a document of which some members are. It begins with a control character, which no JSON
 * text has, and a character for the number of its function, and ends with another one.
 */
const SLOT = '\u0002';
const SLOT_END = '\u0003';
const FIRST_NUMBER = 0x30;
const SLOTS_MAX = 64;

/** What stands before the value, and behind it. */
export function slotText(number: number): [before: string, behind: string] {
  if (number >= SLOTS_MAX) throw new Error(`A selection has more than ${SLOTS_MAX} slots.`);
  return [SLOT + String.fromCharCode(FIRST_NUMBER + number), SLOT_END];
}

/** The text with all slots filled. Measured: a third of the time of parsing it, replacing the values and writing it again. */
export function fillSlots(text: string, fills: readonly Fill[], page: SharedRecords): string {
  let start = text.indexOf(SLOT);
  if (start === -1) return text;
  let filled = '';
  let end = 0;
  for (; start !== -1; start = text.indexOf(SLOT, end)) {
    const stop = text.indexOf(SLOT_END, start);
    const fill = fills[text.charCodeAt(start + 1) - FIRST_NUMBER]!;
    filled += text.slice(end, start) + fill(text.slice(start + 2, stop), page);
    end = stop + 1;
  }
  return filled + text.slice(end);
}
