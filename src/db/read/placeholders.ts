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
  while (!filling.isDone) filling.fillNext();
  return filling.text;
}

/** Fills the placeholders one by one, so that the caller can yield to the event loop between them. */
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

  get isDone(): boolean {
    return this.#start === -1;
  }

  fillNext(): void {
    const stop = this.#source.indexOf(END, this.#start);
    const fill = this.#fills[this.#source.charCodeAt(this.#start + 1) - FIRST_NUMBER]!;
    this.#filled +=
      this.#source.slice(this.#end, this.#start) + fill(this.#source.slice(this.#start + 2, stop), this.#page);
    this.#end = stop + 1;
    this.#start = this.#source.indexOf(START, this.#end);
  }

  /** The text with the placeholders filled that `fillNext` has filled so far. */
  get text(): string {
    return this.#end === 0 ? this.#source : this.#filled + this.#source.slice(this.#end);
  }
}
