import { diffArrays } from 'diff';

export type Part = { kind: 'same' | 'removed' | 'added'; text: string };

/**
 * Limit of the words that are removed or added. The time grows with its square: a few tenths of a second with 1,000. A page
 * that shows hundreds of differences sets a lower one.
 */
const MAX_CHANGED_WORDS = 1_000;

/**
 * What has to be removed from and added to a text, word by word, to get another one. Of texts with too many different
 * words, everything is removed and added.
 */
export function differenceOf(before: string, after: string, maxChangedWords = MAX_CHANGED_WORDS): Part[] {
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: maxChangedWords }) ?? [
    { removed: true, added: false, value: [before] },
    { removed: false, added: true, value: [after] },
  ];
  return changes.map(({ removed, added, value }) => ({
    kind: removed ? 'removed' : added ? 'added' : 'same',
    text: value.join(''),
  }));
}

/** Words with the spaces behind them: spaces alone would be the same in all texts, and divide what was replaced. */
function wordsOf(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
