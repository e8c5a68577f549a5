import type { SharedRecords } from './shared-records.ts';
import type { Selection } from './projection.ts';

/** Computes a member that is not stored from the object it belongs to. */
export type DeriveMember<Entry> = (entry: Entry, page: SharedRecords) => unknown;

type Member = { name: string; text: (json: string) => string };

const [QUOTE, BACKSLASH, COMMA, SPACE] = [34, 92, 44, 32];
const [OBJECT, OBJECT_END, LIST, LIST_END] = [123, 125, 91, 93];
const NULL = 'null';

/**
 * Selects members of a JSON object, or of each object of a JSON list, on the text itself. Missing members become null.
 * Entries of a list that are not objects are left out: only plain SQL can have stored them. Values are copied verbatim,
 * so decimals keep their digits. Measured: a third of the time of JSON.parse and JSON.stringify.
 */
export function selectJsonMembers(selection: Selection): (json: string) => string {
  const members = Object.entries(selection).map(([name, below]) => ({ name, text: selectJsonMembers(below) }));
  if (members.length === 0) return (json) => json;
  return (json) => new JsonScanner(json).select(members);
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
  #at = 0;

  constructor(json: string) {
    this.#json = json;
  }

  select(members: readonly Member[]): string {
    if (this.#next() !== LIST) return this.#selectOne(members);
    let list = '[';
    for (this.#at++; this.#next() !== LIST_END; this.#at++) {
      if (this.#next() === COMMA) continue;
      const entry = this.#selectOne(members);
      if (entry !== NULL) list += (list.length > 1 ? ',' : '') + entry;
      if (this.#next() === LIST_END) break;
    }
    return `${list}]`;
  }

  /** Selects the members of one object. A value of another type is null. */
  #selectOne(members: readonly Member[]): string {
    if (this.#next() !== OBJECT) {
      this.#skipValue();
      return NULL;
    }
    const values: (string | undefined)[] = [];
    for (this.#at++; this.#next() !== OBJECT_END;) {
      if (this.#next() === COMMA) this.#at++;
      this.#next();
      const name = this.#skipString();
      this.#at = this.#json.indexOf(':', this.#at) + 1;
      this.#next();
      const start = this.#at;
      this.#skipValue();
      const place = placeOf(members, name);
      if (place !== -1) values[place] = this.#json.slice(start, this.#at);
    }
    this.#at++;
    return objectText(members, values);
  }

  /** Skips white space and returns the next character. */
  #next(): number {
    while (this.#json.charCodeAt(this.#at) <= SPACE) this.#at++;
    return this.#json.charCodeAt(this.#at);
  }

  /** Returns the text between the quotes. */
  #skipString(): string {
    const start = this.#at + 1;
    let end = this.#json.indexOf('"', start);
    while (this.#isEscaped(end)) end = this.#json.indexOf('"', end + 1);
    this.#at = end + 1;
    return this.#json.slice(start, end);
  }

  /** Whether the quote is part of a string, because an odd number of backslashes precedes it. */
  #isEscaped(quote: number): boolean {
    let first = quote;
    while (this.#json.charCodeAt(first - 1) === BACKSLASH) first--;
    return (quote - first) % 2 === 1;
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

function objectText(members: readonly Member[], values: readonly (string | undefined)[]): string {
  let object = '{';
  for (let place = 0; place < members.length; place++) {
    const { name, text } = members[place]!;
    const value = values[place];
    object += `${place === 0 ? '"' : ',"'}${name}":${value === undefined ? NULL : text(value)}`;
  }
  return `${object}}`;
}

function placeOf(members: readonly Member[], name: string): number {
  for (let place = 0; place < members.length; place++) if (members[place]!.name === name) return place;
  return -1;
}
