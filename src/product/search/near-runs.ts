import type { Term } from './search-terms.ts';
import { type Operand, phrase, quoted } from './text-query.ts';

/** Of a longer run, one half must be right: the conditions for each of its characters would be too many. */
const MAX_EDITED_LENGTH = 8;

/** Phrases that a text has all of. */
type Phrases = Operand[][];

/**
 * The lexemes of a term for runs that differ from this one in one character: replaced, missing, added, or swapped with
 * the next one. Also for its two parts, when the run is two words that a text does not have together.
 */
export function nearRuns(characters: readonly string[]): Pick<Term, 'lexemes' | 'indexed'> {
  const near = nearPhrases(characters);
  const lexemes = near.map((phrases) => phrases.map((operands) => phrase(operands)).join('&'));
  // Without the beginnings of pairs.
  const indexed = near.map((phrases) =>
    phrases
      .flat()
      .flatMap(({ word, isPrefix }) => (isPrefix ? [] : [quoted(word)]))
      .join('&'),
  );
  return { lexemes, indexed: indexed.includes('') ? null : indexed };
}

function nearPhrases(characters: readonly string[]): Phrases[] {
  const { length } = characters;
  const [head, tail] = [(end: number) => characters.slice(0, end), (start: number) => characters.slice(start)];
  if (length > MAX_EDITED_LENGTH) return [head(length >> 1), tail(length >> 1)].map((half) => [operandsOf(half, 0)]);
  return characters.flatMap((character, index) => {
    const next = characters[index + 1];
    return [
      [parts(head(index), tail(index + 1), 1)],
      [parts(head(index), tail(index + 1), 0)],
      ...(index > 0 ? [[parts(head(index), tail(index), 1)]] : []),
      ...(next === undefined ? [] : [[parts([...head(index), next, character, ...tail(index + 2)], [], 0)]]),
      ...(index > 1 && length - index > 1 ? [[operandsOf(head(index), 0), operandsOf(tail(index), 0)]] : []),
    ];
  });
}

/** `start`, any `gap` characters, and `end`. */
function parts(start: readonly string[], end: readonly string[], gap: number): Operand[] {
  if (gap === 0 || start.length === 0 || end.length === 0) return operandsOf([...start, ...end], 0);
  return [...operandsOf(start, 0), ...operandsOf(end, start.length + gap)];
}

/** The pairs of a text; a single character is the beginning of a pair. */
function operandsOf(characters: readonly string[], position: number): Operand[] {
  if (characters.length === 1) return [{ word: characters[0]!, position, isPrefix: true }];
  return characters.slice(0, -1).map((character, index) => ({
    word: character + characters[index + 1]!,
    position: position + index,
    isPrefix: false,
  }));
}
