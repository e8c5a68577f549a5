import { common, type Terms } from './search-terms.ts';
import { anyOf, phrase, quoted } from './text-query.ts';

/**
 * Conditions on a document, as texts of `tsquery`. `match`: the product is found. `code` and `name`: the query is one
 * of its codes or names. `phrase`: a name contains all words in the order of the query, or the name of one of its
 * records contains all of them. `nearby`: any text contains them in this order. Both are null for a single word.
 */
export type SearchQuery = {
  match: string;
  code: string;
  name: string;
  phrase: string | null;
  nearby: string | null;
  /**
   * What the rank counts: words, also as beginnings of words; the same as whole words, which count once more; and records
   * by their names. Queries of their own, because `ts_rank` takes operands with the same letters as one.
   */
  ranked: readonly RankedQuery[];
};

/** `ts_rank` divides by the number of operands: the records that a word names must not make the word count less. */
export type RankedQuery = { query: string; operands: number };

export function searchQuery({ code: sentCode, name: sentName, words }: Terms): SearchQuery {
  const [code, name] = [quoted(`=${sentCode}`), quoted(`~${sentName}`)];
  const all = words.map(({ lexemes }) => `(${anyOf(lexemes)})`).join('&');
  const operands = words.flatMap((term) => term.operands);
  // The last word may be incomplete.
  const asTyped = operands.map((operand, index) =>
    index === operands.length - 1 && !words.at(-1)!.isRun ? { ...operand, isPrefix: true } : operand,
  );
  const isPhrase = asTyped.length > 1;
  const namesOfAll = words.length > 1 ? common(words.map(({ names }) => names)) : [];
  return {
    match: anyOf([...(all ? [all] : []), code, name]),
    code,
    name,
    phrase: isPhrase ? anyOf([phrase(asTyped, 'A'), ...namesOfAll]) : null,
    nearby: isPhrase ? phrase(asTyped) : null,
    ranked: [
      words.length > 0 ? words.flatMap(({ relevance }) => relevance) : [code],
      words.flatMap(({ word, isRun }) => (isRun ? [] : [quoted(word)])),
      words.flatMap(({ names }) => names),
    ].flatMap(rankedQuery),
  };
}

function rankedQuery(lexemes: readonly string[]): RankedQuery[] {
  return lexemes.length > 0 ? [{ query: anyOf(lexemes), operands: new Set(lexemes).size }] : [];
}
