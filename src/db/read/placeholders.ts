import type { SharedRecords } from './shared-records.ts';

/** Makes the JSON text of the response from the stored value in a placeholder. */
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
  const filling = new PlaceholderFilling(text, fills, page);
  filling.fill(Infinity);
  return filling.text;
}

/** Fills some placeholders at a time, so that the caller can yield to the event loop between them. */
export class PlaceholderFilling {
  readonly #source: string;
  readonly #fills: readonly FillPlaceholder[];
  readonly #page: SharedRecords;
  #filled = '';
  #start: number;
  #end = 0;

  constructor(source: string, fills: readonly FillPlaceholder[], page: SharedRecords) {
    this.#source = source;
    this.#fills = fills;
    this.#page = page;
    this.#start = source.indexOf(START);
  }

  /** Fills at most so many placeholders. Returns whether there are no more. */
  fill(max: number): boolean {
    const source = this.#source;
    let [start, end, filled] = [this.#start, this.#end, this.#filled];
    for (let count = 0; start !== -1 && count < max; count += 1) {
      const stop = source.indexOf(END, start);
      const fill = this.#fills[source.charCodeAt(start + 1) - FIRST_NUMBER]!;
      filled += source.slice(end, start) + fill(source.slice(start + 2, stop), this.#page);
      end = stop + 1;
      start = source.indexOf(START, end);
    }
    [this.#start, this.#end, this.#filled] = [start, end, filled];
    return start === -1;
  }

  /** The text with the placeholders filled that have been filled so far. */
  get text(): string {
    return this.#end === 0 ? this.#source : this.#filled + this.#source.slice(this.#end);
  }
}
