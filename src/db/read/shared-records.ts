import { type FillPlaceholder, fillPlaceholders } from './placeholders.ts';

/** Between two records of a shared text, each of which begins with its id. No JSON text has it. */
export const RECORD_SEPARATOR = '\u001e';
const ID_LENGTH = 36;

/** What a statement has read once for all records of its page: for each place a text of records, or a single value. */
export class SharedRecords {
  readonly #texts: readonly string[];
  readonly #fills: readonly FillPlaceholder[];
  readonly #records: (Map<string, string> | undefined)[] = [];
  readonly #parsed = new Map<string, unknown>();

  constructor(texts: readonly string[], fills: readonly FillPlaceholder[]) {
    this.#texts = texts;
    this.#fills = fills;
  }

  /** The JSON text of a record; undefined where there is none with the id. */
  text(place: number, id: string): string | undefined {
    return (this.#records[place] ??= this.#read(place)).get(id);
  }

  /** The same as a value. */
  record(place: number, id: string): unknown {
    const key = `${place} ${id}`;
    if (!this.#parsed.has(key)) {
      const text = this.text(place, id);
      this.#parsed.set(key, text === undefined ? undefined : JSON.parse(text));
    }
    return this.#parsed.get(key);
  }

  /** The value at a place that is no text of records. */
  value(place: number): unknown {
    const key = String(place);
    if (!this.#parsed.has(key))
      this.#parsed.set(key, JSON.parse(fillPlaceholders(this.#texts[place]!, this.#fills, this)));
    return this.#parsed.get(key);
  }

  #read(place: number): Map<string, string> {
    const text = fillPlaceholders(this.#texts[place]!, this.#fills, this);
    const records = text === '' ? [] : text.split(RECORD_SEPARATOR);
    return new Map(records.map((record) => [record.slice(0, ID_LENGTH), record.slice(ID_LENGTH)]));
  }
}
