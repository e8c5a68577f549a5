import { createHash } from 'node:crypto';

/**
 * Lower-case hex SHA-256 of anything that JSON can tell. The order of an object's members does not
 * count, as many clients have none. However deep the value is: it goes by a pile and not by recursion.
 */
export function contentHash(value: unknown): string {
  const hash = createHash('sha256');
  const pile: Part[] = [{ value }];
  for (let part = pile.pop(); part; part = pile.pop()) {
    if ('text' in part) hash.update(part.text);
    else if (Array.isArray(part.value)) pileList(pile, part.value);
    else if (typeof part.value === 'object' && part.value !== null) pileRecord(pile, part.value);
    else hash.update(JSON.stringify(part.value));
  }
  return hash.digest('hex');
}

type Part = { text: string } | { value: unknown };

/** Last parts first, for the pile is taken from the top. */
function pileList(pile: Part[], entries: readonly unknown[]): void {
  pile.push({ text: ']' });
  for (const value of entries.toReversed()) pile.push({ text: ',' }, { value });
  pile.push({ text: '[' });
}

function pileRecord(pile: Part[], record: object): void {
  pile.push({ text: '}' });
  const members = Object.entries(record).sort(([one], [other]) => (one < other ? 1 : -1));
  for (const [name, value] of members) pile.push({ text: ',' }, { value }, { text: `${JSON.stringify(name)}:` });
  pile.push({ text: '{' });
}
