import { CellError, parseAmount, printDecimal, quoted } from './cells.ts';

const PAIR_SEPARATOR = '; ';
/** Characters that separate pairs, or names from counts. In names a backslash is before them. */
const SPECIAL = /[\\=;]/g;
const ESCAPED = /\\([^])/g;

/** A count of a variant, and the label of its stock location. */
export type LocationCount = { label: string; count: number };

/** The counts as `Berlin=7; Paris=3`. */
export function printStocks(counts: readonly LocationCount[]): string {
  const pairs = counts.map(({ label, count }) => `${label.replace(SPECIAL, '\\$&')}=${printDecimal(count)}`);
  return pairs.join(PAIR_SEPARATOR);
}

export function parseStocks(cell: string): LocationCount[] {
  const pairs = splitUnescaped(cell, ';').filter((pair) => pair.trim() !== '');
  const counts = new Map<string, number>();
  for (const { label, count } of pairs.map((pair) => parsePair(pair))) {
    if (counts.has(label))
      throw new CellError(`must have one count for each stock location, not two for ${quoted(label)}`);
    counts.set(label, count);
  }
  return Array.from(counts, ([label, count]) => ({ label, count }));
}

function parsePair(pair: string): LocationCount {
  const [name = '', count, ...others] = splitUnescaped(pair, '=');
  const label = name.trim().replace(ESCAPED, '$1');
  if (label === '' || count === undefined || others.length > 0)
    throw new CellError(`must be pairs such as Berlin=7; Paris=3, not ${quoted(pair)}`);
  return { label, count: parseAmount(count) };
}

/** The parts of the text between the separators that have no backslash before them. */
function splitUnescaped(text: string, separator: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === separator) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}
