import type { SlicedContext } from '../../limits/event-loop-slices.ts';
import { type FillPlaceholder, fillPlaceholders } from './placeholders.ts';

/** Separates the records of a shared text. Each begins with its id. JSON never contains this character. */
export const RECORD_SEPARATOR = '\u001e';
const ID_LENGTH = 36;

/** Converts a value that is read once per page, before fields use it. Long work yields to the event loop. */
export type PrepareValue = (ctx: SlicedContext, json: unknown) => Promise<unknown>;
/** How Node completes the texts: functions of the placeholders, and preparations of values that are read once. */
export type Completion = { readonly fills: readonly FillPlaceholder[]; readonly preparations: readonly Preparation[] };
export type Preparation = readonly [place: number, prepare: PrepareValue];

/** The texts that a statement reads once per page: at each index a list of records, or a single value. */
export class SharedRecords {
  readonly #texts: readonly string[];
  readonly fills: readonly FillPlaceholder[];
  readonly #preparations: readonly Preparation[];
  readonly #records: (Map<string, string> | undefined)[] = [];
  readonly #parsed = new Map<string, unknown>();

  constructor(texts: readonly string[], { fills, preparations }: Completion) {
    this.#texts = texts;
    this.fills = fills;
    this.#preparations = preparations;
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
    if (!this.#parsed.has(key)) this.#parsed.set(key, this.#parse(place));
    return this.#parsed.get(key);
  }

  get hasPreparations(): boolean {
    return this.#preparations.length > 0;
  }

  /** Replaces parsed values by what the preparations make of them. */
  async prepare(ctx: SlicedContext): Promise<void> {
    for (const [place, prepare] of this.#preparations)
      this.#parsed.set(String(place), await prepare(ctx, this.#parse(place)));
  }

  #parse(place: number): unknown {
    return JSON.parse(fillPlaceholders(this.#texts[place]!, this.fills, this));
  }

  #read(place: number): Map<string, string> {
    const text = fillPlaceholders(this.#texts[place]!, this.fills, this);
    const records = new Map<string, string>();
    for (let start = 0; start < text.length;) {
      const separator = text.indexOf(RECORD_SEPARATOR, start);
      const end = separator === -1 ? text.length : separator;
      records.set(text.slice(start, start + ID_LENGTH), text.slice(start + ID_LENGTH, end));
      start = end + 1;
    }
    return records;
  }
}
