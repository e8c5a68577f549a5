import type { SlicedContext } from '../../limits/event-loop-slices.ts';

/**
 * A placeholder is a value inside a record's JSON text that Node has to complete: an id whose record is selected, or
 * a document of which some members are. Format: \x02, one character for the number of the function, the value, \x03.
 * Valid JSON never contains these control characters.
 */
const START = '\u0002';
const END = '\u0003';
const FIRST_NUMBER = 0x30;
const MAX_PLACEHOLDERS = 64;

/** Separates the records of a shared text. Each begins with its id. JSON never contains this character. */
export const RECORD_SEPARATOR = '\u001e';
const ID_LENGTH = 36;

/** Makes the JSON text of the response from the stored value in a placeholder. */
export type FillPlaceholder = (stored: string, page: SharedRecords) => string;

/** Converts a value that is read once per page, before fields use it. Long work yields to the event loop. */
export type PrepareValue = (ctx: SlicedContext, json: unknown) => Promise<unknown>;
/** How Node completes the texts: functions of the placeholders, and preparations of values that are read once. */
export type Completion = { readonly fills: readonly FillPlaceholder[]; readonly preparations: readonly Preparation[] };
export type Preparation = readonly [place: number, prepare: PrepareValue];

/** The texts before and after the value. */
export function placeholderText(number: number): [before: string, behind: string] {
  if (number >= MAX_PLACEHOLDERS) throw new Error(`A selection has more than ${MAX_PLACEHOLDERS} slots.`);
  return [START + String.fromCharCode(FIRST_NUMBER + number), END];
}

/** Replaces all placeholders, in a third of the time of parsing the text, replacing values and writing it again. */
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

/** The texts that a statement reads once per page: at each index a list of records, or a single value. */
export class SharedRecords {
  readonly #texts: readonly string[];
  readonly fills: readonly FillPlaceholder[];
  readonly preparations: readonly Preparation[];
  readonly #records: (Map<string, string> | undefined)[] = [];
  readonly #parsed = new Map<string, unknown>();

  constructor(texts: readonly string[], { fills, preparations }: Completion) {
    this.#texts = texts;
    this.fills = fills;
    this.preparations = preparations;
  }

  /** The JSON text of a record; undefined if there is none with this id. */
  text(place: number, id: string): string | undefined {
    return (this.#records[place] ??= this.#read(place)).get(id);
  }

  /** The record as a parsed object; undefined if there is none with this id. */
  record(place: number, id: string): unknown {
    const key = `${place} ${id}`;
    if (!this.#parsed.has(key)) {
      const text = this.text(place, id);
      this.#parsed.set(key, text === undefined ? undefined : JSON.parse(text));
    }
    return this.#parsed.get(key);
  }

  /** The value at an index that holds no list of records: the prepared value, or else the parsed JSON. */
  value(place: number): unknown {
    const key = String(place);
    if (!this.#parsed.has(key)) this.#parsed.set(key, JSON.parse(this.#filled(place)));
    return this.#parsed.get(key);
  }

  /** Replaces parsed values by what the preparations make of them. */
  async prepare(ctx: SlicedContext): Promise<void> {
    for (const [place, prepare] of this.preparations)
      this.#parsed.set(String(place), await prepare(ctx, JSON.parse(this.#filled(place))));
  }

  #read(place: number): Map<string, string> {
    const text = this.#filled(place);
    const records = new Map<string, string>();
    for (let start = 0; start < text.length;) {
      const separator = text.indexOf(RECORD_SEPARATOR, start);
      const end = separator === -1 ? text.length : separator;
      records.set(text.slice(start, start + ID_LENGTH), text.slice(start + ID_LENGTH, end));
      start = end + 1;
    }
    return records;
  }

  #filled(place: number): string {
    return fillPlaceholders(this.#texts[place]!, this.fills, this);
  }
}
