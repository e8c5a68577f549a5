import { endOfString } from '../../values/json.ts';
import type { SharedRecords } from './placeholders.ts';
import type { Selection } from './projection.ts';

/** Computes a member that is not stored from the object it belongs to. */
export type DeriveMember<Entry> = (entry: Entry, page: SharedRecords) => unknown;

/** `key` is the text before the value. `below`: the selected members of the value; null for the value as it is. */
type Member = { name: string; key: string; below: ((json: string) => string) | null };

const [QUOTE, COMMA, SPACE] = [34, 44, 32];
const [OBJECT, OBJECT_END, LIST, LIST_END] = [123, 125, 91, 93];
const NULL = 'null';

/**
 * Selects members of a JSON object, or of each object of a JSON list, on the text itself. Missing members become null.
 * Entries of a list that are not objects are left out: only plain SQL can have stored them. Values are copied verbatim,
 * so decimals keep their digits. Measured: a third of the time of JSON.parse and JSON.stringify.
 */
export function selectJsonMembers(selection: Selection): (json: string) => string {
  const members = Object.entries(selection).map(([name, below], place) => ({
    name,
    key: `${place === 0 ? '{' : ','}"${name}":`,
    below: Object.keys(below).length === 0 ? null : selectJsonMembers(below),
  }));
  if (members.length === 0) return (json) => json;
  return (json) => new JsonScanner(json, members).select();
}

/** Selects members of a parsed object as `selectJsonMembers` does of JSON, with derived members too. */
export function selectObjectMembers<Entry>(
  selection: Selection,
  derived: Record<string, DeriveMember<Entry>>,
): (entry: Entry, page: SharedRecords) => object {
  const names = Object.keys(selection);
  return (entry, page) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        (Object.hasOwn(derived, name) ? derived[name]!(entry, page) : entry[name as keyof Entry]) ?? null,
      ]),
    );
}

class JsonScanner {
  readonly #json: string;
  readonly #members: readonly Member[];
  /** The values of the object that is being read. */
  readonly #values: (string | undefined)[];
  #at = 0;

  constructor(json: string, members: readonly Member[]) {
    this.#json = json;
    this.#members = members;
    this.#values = members.map(() => undefined);
  }

  select(): string {
    if (this.#next() !== LIST) return this.#selectOne();
    let list = '[';
    for (this.#at++; this.#next() !== LIST_END; this.#at++) {
      if (this.#next() === COMMA) continue;
      const entry = this.#selectOne();
      if (entry !== NULL) list += (list.length > 1 ? ',' : '') + entry;
      if (this.#next() === LIST_END) break;
    }
    return `${list}]`;
  }

  /** Selects the members of one object. A value of another type is null. */
  #selectOne(): string {
    if (this.#next() !== OBJECT) {
      this.#skipValue();
      return NULL;
    }
    this.#values.fill(undefined);
    for (this.#at++; this.#next() !== OBJECT_END;) {
      if (this.#next() === COMMA) this.#at++;
      this.#next();
      const name = this.#at + 1;
      this.#skipString();
      const place = this.#placeOf(name, this.#at - 1);
      this.#at = this.#json.indexOf(':', this.#at) + 1;
      this.#next();
      const start = this.#at;
      this.#skipValue();
      if (place !== -1) this.#values[place] = this.#json.slice(start, this.#at);
    }
    this.#at++;
    return this.#objectText();
  }

  /** The place of the member whose name is in the text from `start` to `end`; -1 if it is not selected. */
  #placeOf(start: number, end: number): number {
    for (let place = 0; place < this.#members.length; place++) {
      const { name } = this.#members[place]!;
      if (name.length === end - start && this.#json.startsWith(name, start)) return place;
    }
    return -1;
  }

  #objectText(): string {
    let object = '';
    for (let place = 0; place < this.#members.length; place++) {
      const { key, below } = this.#members[place]!;
      const value = this.#values[place] ?? NULL;
      object += key + (below && value !== NULL ? below(value) : value);
    }
    return `${object}}`;
  }

  /** Skips white space and returns the next character. */
  #next(): number {
    while (this.#json.charCodeAt(this.#at) <= SPACE) this.#at++;
    return this.#json.charCodeAt(this.#at);
  }

  #skipString(): void {
    this.#at = endOfString(this.#json, this.#at) + 1;
  }

  #skipValue(): void {
    for (let depth = 0; this.#at < this.#json.length;) {
      const character = this.#json.charCodeAt(this.#at);
      if (depth === 0 && (character === COMMA || character === OBJECT_END || character === LIST_END)) return;
      if (character === QUOTE) {
        this.#skipString();
        continue;
      }
      if (character === OBJECT || character === LIST) depth++;
      else if (character === OBJECT_END || character === LIST_END) depth--;
      this.#at++;
    }
  }
}
