import { common, type Terms } from './search-terms.ts';
import { allOf, anyOf, phrase, quoted } from './text-query.ts';

/** What a word counts by the place where it is. */
type Weights = readonly [texts: number, options: number, records: number, names: number];

/**
 * `ts_rank` adds up all that it finds: a description can have thousands of words with one beginning, and a product dozens
 * of values with one word. The steps are so large that the sum of a place counts less than one word in a better place.
 * The sum has 24 bits. So a beginning in a description counts nothing beside a name, and a whole word still does.
 */
const WEIGHTS = {
  beginnings: [1e-9, 0, 0, 1],
  wholeWords: [1e-6, 0, 0, 1],
  records: [0, 1e-4, 1e-2, 0],
} satisfies Record<string, Weights>;

/**
 * Conditions on a document, as texts of `tsquery`. `match`: the product is found. `indexed`: the same for the index,
 * which may find more; null if it cannot be used. `code` and `name`: the query is one of its codes or names. `phrase`: a
 * name contains all words in the order of the query, or the name of one of its records contains all of them. `nearby`:
 * any text contains them in this order. Both are null for a single word, of which the weights of the rank say as much.
 */
export type SearchQuery = {
  match: string;
  indexed: string | null;
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
export type RankedQuery = { query: string; operands: number; weights: Weights };

export function searchQuery({ code: sentCode, name: sentName, words }: Terms): SearchQuery {
  const [code, name] = [quoted(`=${sentCode}`), quoted(`~${sentName}`)];
  const found = (terms: readonly string[][]): string =>
    anyOf([...(terms.length > 0 ? [allOf(terms)] : []), code, name]);
  const indexed = words.flatMap((term) => (term.indexed ? [term.indexed] : []));
  const operands = words.flatMap((term) => term.operands);
  // The last word may be incomplete.
  const asTyped = operands.map((operand, index) =>
    index === operands.length - 1 && !words.at(-1)!.isRun ? { ...operand, isPrefix: true } : operand,
  );
  const isPhrase = asTyped.length > 1;
  const namesOfAll = common(words.map(({ names }) => names));
  return {
    match: found(words.map(({ lexemes }) => lexemes)),
    indexed: indexed.length > 0 || words.length === 0 ? found(indexed) : null,
    code,
    name,
    phrase: isPhrase ? anyOf([phrase(asTyped, 'A'), ...namesOfAll]) : null,
    nearby: isPhrase ? phrase(asTyped) : null,
    ranked: [
      ...rankedQuery(words.length > 0 ? words.flatMap(({ relevance }) => relevance) : [code], WEIGHTS.beginnings),
      ...rankedQuery(
        words.flatMap(({ word, isRun }) => (isRun ? [] : [quoted(word)])),
        WEIGHTS.wholeWords,
      ),
      ...rankedQuery(
        words.flatMap(({ names }) => names),
        WEIGHTS.records,
      ),
    ],
  };
}

function rankedQuery(lexemes: readonly string[], weights: Weights): RankedQuery[] {
  return lexemes.length > 0 ? [{ query: anyOf(lexemes), operands: new Set(lexemes).size, weights }] : [];
}
