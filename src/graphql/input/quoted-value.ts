/** Entries of a list, and levels of nesting, that the messages of graphql-js show. */
const MAX_ENTRIES = 10;
const MAX_LEVELS = 2;

/**
 * The first `length` characters of a JSON value as the messages of graphql-js quote it. graphql-js quotes the whole value
 * for each of its unknown members: 60 of them beside a text of 9 MB took 1.9 GB, and beside 480,000 values 19 s.
 */
export function quotedValue(value: unknown, length: number): string {
  return quoted(value, length, 0).slice(0, length).toWellFormed();
}

function quoted(value: unknown, length: number, level: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, length).toWellFormed());
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? quotedList(value, length, level) : quotedObject(value, length, level);
}

function quotedList(list: readonly unknown[], length: number, level: number): string {
  if (list.length === 0) return '[]';
  if (level === MAX_LEVELS) return '[Array]';
  const entries = list.slice(0, MAX_ENTRIES).map((entry) => quoted(entry, length, level + 1));
  const more = list.length - MAX_ENTRIES;
  if (more > 0) entries.push(`... ${more} more ${more === 1 ? 'item' : 'items'}`);
  return `[${entries.join(', ')}]`;
}

function quotedObject(object: object, length: number, level: number): string {
  const names = Object.keys(object);
  if (names.length === 0) return '{}';
  if (level === MAX_LEVELS) return '[Object]';
  let text = '';
  for (const name of names) {
    if (text.length > length) break;
    text += `${text && ', '}${name}: ${quoted((object as Record<string, unknown>)[name], length, level + 1)}`;
  }
  return `{ ${text} }`;
}
