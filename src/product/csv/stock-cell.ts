import { CellError, parseAmount, printDecimal, quoted } from './cells.ts';

const PAIR_SEPARATOR = '; ';
/** Characters of names that separate pairs, or names from counts. A backslash is before them. */
const SPECIAL = /[\\=;]/g;
/** The parts of a cell: an escaped character, a separator, or other text. */
const PARTS = /\\[^]|[=;]|[^\\=;]+|\\/g;

/** A count of a variant, and the label of its stock location. */
export type LocationCount = { label: string; count: number };

/** The counts as `Berlin=7; Paris=3`. */
export function printStocks(counts: readonly LocationCount[]): string {
  const pairs = counts.map(({ label, count }) => `${label.replace(SPECIAL, '\\$&')}=${printDecimal(count)}`);
  return pairs.join(PAIR_SEPARATOR);
}

export function parseStocks(cell: string): LocationCount[] {
  const pairs = splitAt(';', cell.match(PARTS) ?? []).filter((pair) => pair.join('').trim() !== '');
  const counts = pairs.map((pair) => parsePair(pair));
  const repeated = counts.find(({ label }, index) => counts.findIndex((other) => other.label === label) < index);
  if (repeated)
    throw new CellError(`must have one count for each stock location, not two for ${quoted(repeated.label)}`);
  return counts;
}

function parsePair(parts: readonly string[]): LocationCount {
  const [name = [], count, ...others] = splitAt('=', parts);
  const label = name
    .map((part) => (part.length === 2 ? part.replace(/^\\/, '') : part))
    .join('')
    .trim();
  if (label === '' || count === undefined || others.length > 0)
    throw new CellError(`must be pairs such as Berlin=7; Paris=3, not ${quoted(parts.join(''))}`);
  return { label, count: parseAmount(count.join('')) };
}

function splitAt(separator: string, parts: readonly string[]): string[][] {
  const lists: string[][] = [[]];
  for (const part of parts) {
    if (part === separator) lists.push([]);
    else lists.at(-1)!.push(part);
  }
  return lists;
}
