import { type SQL, sql } from 'drizzle-orm';
import { productSearch, productSearchWord } from '../../../drizzle/product-search.ts';
import type { Context } from '../../context.ts';
import { column, readRows, type Row } from '../../db/connection/read-rows.ts';
import { plannedForValues } from '../../db/sql/compiled-statement.ts';
import { ownedBy, type Tenant } from '../../db/sql/parameter.ts';
import { editDistance } from './edit-distance.ts';
import { nearRuns } from './near-runs.ts';
import { charactersOf, type Term, type Terms } from './search-terms.ts';
import { anyOf } from './text-query.ts';

const MIN_CORRECTED_LENGTH = 3;
const MAX_CORRECTED_LENGTH = 40;
/** Longer words may have two edits instead of one. */
const MAX_ONE_EDIT_LENGTH = 5;
/** A query with more unknown words, or more runs, is not corrected. */
const MAX_CORRECTED_WORDS = 16;
const MAX_CORRECTED_RUNS = 4;
const MAX_SIMILAR_WORDS = 50;

/** A term that may be misspelt. `word` is null for a run, which has no similar words. */
type Candidate = { index: number; word: string | null; edits: number; lexemes: string };
/** `word` and `lexeme` are null for a term without similar words. */
const SIMILAR = { index: column.number, word: column.nullable(column.text), lexeme: column.nullable(column.text) };
type Similar = Row<typeof SIMILAR>;

/**
 * The terms with each unknown word replaced by the nearest stored words, and each unknown run by those that differ in
 * one character; null if there are none. If all words are known, they are all tried: a word can be stored although no
 * product has it any more.
 */
export async function correctTerms(ctx: Context, terms: Terms): Promise<Terms | null> {
  const allKnown = terms.words.every(({ isKnown }) => isKnown);
  const candidates = terms.words.flatMap((term, index) =>
    isCorrectable(term) && (term.isRun || term.isKnown === allKnown) ? [candidateOf(term, index)] : [],
  );
  const runs = candidates.filter(({ word }) => word === null).length;
  if (candidates.length === 0 || runs > MAX_CORRECTED_RUNS || candidates.length - runs > MAX_CORRECTED_WORDS)
    return null;
  const similar = await findSimilar(ctx, candidates);
  const words = terms.words.map((term, index) =>
    corrected(
      term,
      similar.filter((row) => row.index === index),
    ),
  );
  return words.every((word, index) => word === terms.words[index]) ? null : { ...terms, words };
}

function candidateOf({ word, isRun, lexemes }: Term, index: number): Candidate {
  return { index, word: isRun ? null : letters(word), edits: editsAllowed(word), lexemes: anyOf(lexemes) };
}

/**
 * Of terms that no document contains, stored words that differ in few letters, with the lexeme that documents contain.
 * A swap of two letters counts as two edits of `levenshtein`, so the limit is doubled and `corrected` computes the
 * exact distance. The statement is planned for the merchant, as in searchProducts.
 */
async function findSimilar(ctx: Context, candidates: readonly Candidate[]): Promise<Similar[]> {
  const tenant: Tenant = { merchantId: ctx.merchantId, isLiteral: true };
  const inUse = (query: SQL) => sql`
    exists (
      select from ${productSearch}
      where ${ownedBy(tenant, productSearch)} and ${productSearch.document} @@ ${query}::tsquery)`;
  const { word, recordId } = productSearchWord;
  const letters = sql`normalize(${word}, NFD)`;
  const distance = sql`
    case when char_length(${letters}) between char_length(asked.word) - asked.edits and char_length(asked.word) + asked.edits
      then levenshtein_less_equal(${letters}, asked.word, 2 * asked.edits) end`;
  return await readRows(
    ctx,
    SIMILAR,
    plannedForValues(sql`
    select asked.index as "index", near.word as "word", near.lexeme as "lexeme"
    from json_to_recordset(${JSON.stringify(candidates)}::json) as asked(index int, word text, edits int, lexemes text)
    left join lateral (
      select nearest.word, nearest.lexeme from (
        select similar_word.word, similar_word.lexeme from (
          select ${word} as word, ${distance} as distance,
            format(case when ${recordId} is null then '''%s''' else '''#%2$s''' end, ${word}, ${recordId}) as lexeme
          from ${productSearchWord}
          where ${ownedBy(tenant, productSearchWord)} and show_trgm(${letters}) && show_trgm(asked.word)
        ) as similar_word
        where similar_word.distance <= 2 * asked.edits
        order by similar_word.distance limit ${sql.raw(String(MAX_SIMILAR_WORDS))}
      ) as nearest
      where ${inUse(sql`nearest.lexeme`)}
    ) as near on true
    where not ${inUse(sql`asked.lexemes`)}`),
  );
}

function corrected(term: Term, similar: readonly Similar[]): Term {
  if (similar.length === 0) return term;
  if (term.isRun) return { ...term, ...nearRuns(charactersOf(term.word)) };
  const found = similar.flatMap(({ word, lexeme }) =>
    word === null || lexeme === null ? [] : [{ lexeme, distance: editDistance(letters(word), letters(term.word)) }],
  );
  const nearest = Math.min(editsAllowed(term.word), ...found.map(({ distance }) => distance));
  const lexemes = found.filter(({ distance }) => distance === nearest).map(({ lexeme }) => lexeme);
  if (lexemes.length === 0) return term;
  const { names = [], words = [] } = Object.groupBy(lexemes, (lexeme) => (lexeme.startsWith("'#") ? 'names' : 'words'));
  return { ...term, lexemes, indexed: lexemes, relevance: words, names };
}

/** Words with digits are codes or sizes and are not corrected, nor are the beginnings of very many words. */
function isCorrectable({ word, isRun, indexed }: Term): boolean {
  if (!indexed) return false;
  if (isRun) return charactersOf(word).length >= MIN_CORRECTED_LENGTH;
  const { length } = Array.from(letters(word));
  return length >= MIN_CORRECTED_LENGTH && length <= MAX_CORRECTED_LENGTH && !/\p{N}/u.test(word);
}

function editsAllowed(word: string): number {
  return Array.from(letters(word)).length <= MAX_ONE_EDIT_LENGTH ? 1 : 2;
}

/** A Korean syllable is two or three letters. */
function letters(word: string): string {
  return word.normalize('NFD');
}
