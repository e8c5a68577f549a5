import { sql } from 'drizzle-orm';
import { productSearchPending, productSearchWord } from '../../../drizzle/product-search.ts';
import type { Context } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { MAX_QUERY_LENGTH } from './search-input.ts';
import { type Operand, phrase, quoted } from './text-query.ts';

/**
 * A prefix is searched as a list of its stored words, which Postgres finds ten times as fast as the prefix itself. With
 * more words or longer ones than this the prefix is searched.
 */
const MAX_PREFIX_WORDS = 64;
const MAX_PREFIX_WORD_BYTES = 2_000;
/** Records that a query finds by their names, at most: of each word those that come first in alphabetical order. */
const MAX_NAMED_RECORDS = 1_000;

/**
 * The parsed query, in folded case. `code` is the whole query as a possible sku or barcode, `name` as a possible name.
 * `hasPendingDocuments`: some products' search documents are not written yet.
 */
export type Terms = { code: string; name: string; words: Term[]; hasPendingDocuments: boolean };

/**
 * A word, or a run of characters without spaces (`isRun`). A document must contain one of the `lexemes`, which are
 * texts of `tsquery`. Its rank counts the lexemes of `relevance`. `operands` are its words in a phrase, and `names` the
 * lexemes of records whose names contain it.
 */
export type Term = {
  word: string;
  isRun: boolean;
  isKnown: boolean;
  lexemes: string[];
  relevance: string[];
  operands: Operand[];
  names: string[];
};

type FoundWord = {
  word: string;
  positions: number[];
  isUnspaced: boolean;
  known: string[] | null;
  recordIds: string[] | null;
};
type Token = Omit<FoundWord, 'positions'> & { position: number };

export async function findTerms(ctx: Context, query: string): Promise<Terms> {
  const word = sql`${productSearchWord.word} collate "C"`;
  const hasPrefix = sql`
    ${ownedBy(ctx, productSearchWord)} and ${word} >= asked.word and ${word} < asked.word || chr(1114111)`;
  const [found] = await readRows(
    ctx,
    { code: column.text, name: column.text, words: column.text, hasPendingDocuments: column.boolean },
    sql`
    select product_search_code(${query}) as "code", product_search_exact_name(${query}) as "name",
      exists (select from ${productSearchPending} where ${ownedBy(ctx, productSearchPending)}) as "hasPendingDocuments",
      coalesce(json_agg(json_build_object(
      'word', asked.word,
      'positions', asked.positions,
      'isUnspaced', asked.word ~ ('^' || product_search_unspaced()),
      'known', (select json_agg(known.word) from (
        select ${productSearchWord.word} as word from ${productSearchWord}
        where ${hasPrefix} and ${productSearchWord.recordId} is null
        limit ${sql.raw(String(MAX_PREFIX_WORDS + 1))}) as known),
      'recordIds', (select json_agg(named.id) from (
        select ${productSearchWord.recordId} as id from ${productSearchWord}
        where ${hasPrefix} and ${productSearchWord.recordId} is not null
        order by ${word} limit ${sql.raw(String(MAX_NAMED_RECORDS))}) as named)
    )), '[]')::text as "words"
    from unnest(product_search_words(${query}, ${sql.raw(String(MAX_QUERY_LENGTH))})) as asked(word, positions)`,
  );
  return { ...found!, words: termsOf(JSON.parse(found!.words) as FoundWord[]) };
}

function termsOf(words: FoundWord[]): Term[] {
  const tokens = words
    .flatMap(({ positions, ...word }) => positions.map((position) => ({ ...word, position })))
    .toSorted((a, b) => a.position - b.position);
  const groups = groupsOf(tokens);
  const maxNames = Math.ceil(MAX_NAMED_RECORDS / groups.length);
  return groups.map((group) => (group[0]!.isUnspaced ? runTerm(group, maxNames) : wordTerm(group[0]!, maxNames)));
}

/** A word is a group of its own. The pairs of a run are a group that ends with its last character. */
function groupsOf(tokens: Token[]): Token[][] {
  const groups: Token[][] = [];
  let isInRun = false;
  for (const token of tokens) {
    if (token.isUnspaced && isInRun) groups.at(-1)!.push(token);
    else groups.push([token]);
    isInRun = token.isUnspaced && charactersOf(token.word).length > 1;
  }
  return groups;
}

/** Characters with their combining marks, as `product_search_unspaced` has them. */
export function charactersOf(text: string): string[] {
  return text.match(/\P{M}\p{M}*/gu) ?? [];
}

function wordTerm({ word, position, known, recordIds }: Token, maxNames: number): Term {
  const start = `${quoted(word)}:*`;
  const rows = known ?? [];
  const forms = [...new Set(rows)].map(quoted);
  // Rows, because their number was limited, and a word can be stored twice.
  const isShort = rows.length <= MAX_PREFIX_WORDS && Buffer.byteLength(forms.join('|')) <= MAX_PREFIX_WORD_BYTES;
  const names = namesOf(recordIds ?? [], maxNames);
  return {
    word,
    isRun: false,
    isKnown: forms.length + names.length > 0,
    lexemes: [...(isShort ? forms : [start]), ...names, `${quoted(`+${word}`)}:*`],
    relevance: [start, ...names],
    operands: [{ word, position, isPrefix: false }],
    names,
  };
}

/** A single character is the beginning of a pair. Otherwise all pairs must follow each other. */
function runTerm(tokens: Token[], maxNames: number): Term {
  const pairs = tokens.length > 1 ? tokens.slice(0, -1) : tokens;
  const operands = pairs.map(({ word, position }) => ({ word, position, isPrefix: tokens.length === 1 }));
  const names = namesOf(common(pairs.map(({ recordIds }) => recordIds ?? [])), maxNames);
  return {
    word: tokens.map(({ word }) => charactersOf(word)[0]!).join(''),
    isRun: true,
    isKnown: true,
    lexemes: [phrase(operands), ...names],
    relevance: [...operands.map((operand) => phrase([operand])), ...names],
    operands,
    names,
  };
}

function namesOf(recordIds: readonly string[], maxNames: number): string[] {
  return [...new Set(recordIds)].slice(0, maxNames).map((id) => quoted(`#${id}`));
}

/** The texts that are in every list. */
export function common([first = [], ...others]: readonly (readonly string[])[]): string[] {
  const sets = others.map((list) => new Set(list));
  return first.filter((text) => sets.every((set) => set.has(text)));
}
