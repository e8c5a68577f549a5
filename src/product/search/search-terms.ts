import { sql } from 'drizzle-orm';
import { productSearch, productSearchPending, productSearchWord } from '../../../drizzle/product-search.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { editDistance } from './edit-distance.ts';

/**
 * A prefix is searched as a list of its stored words, which Postgres finds ten times as fast as the prefix itself. With
 * more words than this the prefix is searched.
 */
const MAX_PREFIX_WORDS = 64;
const MIN_CORRECTED_LENGTH = 3;
const MAX_CORRECTED_LENGTH = 40;
/** Longer words may have two edits instead of one. */
const MAX_ONE_EDIT_LENGTH = 5;
/** Trigrams in common of all trigrams of two words; the default of 0.3 misses short words with two swapped letters. */
const SIMILARITY_THRESHOLD = 0.1;
const MAX_SIMILAR_WORDS = 50;

/**
 * The parsed query, in folded case. `code` is the whole query as a possible sku or barcode. `hasPendingDocuments`: some
 * products' search documents are not written yet.
 */
export type Terms = { code: string; words: Term[]; hasPendingDocuments: boolean };

/** One word: a document must contain one of the `lexemes`; its rank counts the lexemes of `relevance`. */
type Term = { word: string; isKnown: boolean; lexemes: string[]; relevance: string[] };

type FoundTerms = { code: string; words: string; hasPendingDocuments: boolean };
type FoundWord = { word: string; known: string[] | null; recordIds: string[] | null };

export async function findTerms(ctx: Context, query: string): Promise<Terms> {
  const word = sql`${productSearchWord.word} collate "C"`;
  const hasPrefix = sql`
    ${ownedBy(ctx, productSearchWord)} and ${word} >= asked.word and ${word} < asked.word || chr(1114111)`;
  const [found] = await ctx.db.execute<FoundTerms>(sql`
    select product_search_code(${query}) as "code",
      exists (select from ${productSearchPending} where ${ownedBy(ctx, productSearchPending)}) as "hasPendingDocuments",
      coalesce(json_agg(json_build_object(
      'word', asked.word,
      'known', (select json_agg(known.word) from (
        select ${productSearchWord.word} as word from ${productSearchWord}
        where ${hasPrefix} and ${productSearchWord.recordId} is null
        limit ${sql.raw(String(MAX_PREFIX_WORDS + 1))}) as known),
      'recordIds', (select json_agg(distinct ${productSearchWord.recordId}) from ${productSearchWord}
        where ${hasPrefix} and ${productSearchWord.recordId} is not null)
    )), '[]')::text as "words"
    from unnest(tsvector_to_array(product_search_words(${query}))) as asked(word)`);
  return {
    code: found!.code,
    hasPendingDocuments: found!.hasPendingDocuments,
    words: (JSON.parse(found!.words) as FoundWord[]).map(asTerm),
  };
}

type Candidate = { index: number; word: string; edits: number; lexemes: string };
type Similar = { index: number; word: string; lexeme: string };

/**
 * The terms with each unknown word replaced by the nearest stored words; null if there are none. If all words are
 * known, they are all tried: a word can be stored although no product has it any more.
 */
export async function correctTerms(ctx: Context, terms: Terms): Promise<Terms | null> {
  const allKnown = terms.words.every(({ isKnown }) => isKnown);
  const candidates = terms.words.flatMap(({ word, isKnown, lexemes }, index) =>
    isCorrectable(word) && isKnown === allKnown
      ? [{ index, word, edits: editsAllowed(word), lexemes: lexemes.join('|') }]
      : [],
  );
  if (candidates.length === 0) return null;
  const similar = await findSimilar(ctx, candidates);
  if (similar.length === 0) return null;
  return {
    ...terms,
    words: terms.words.map((term, index) =>
      corrected(
        term,
        similar.filter((row) => row.index === index),
      ),
    ),
  };
}

/**
 * Stored words that differ in few letters, with the lexeme that documents contain, of words that no document contains.
 * A swap of two letters leaves few common trigrams in a short word and counts as two edits of `levenshtein`, so the
 * limits are doubled and `corrected` computes the exact distance.
 */
async function findSimilar(ctx: Context, candidates: readonly Candidate[]): Promise<Similar[]> {
  const inUse = (query: string) => sql`
    exists (
      select from ${productSearch}
      where ${ownedBy(ctx, productSearch)} and ${productSearch.document} @@ ${sql.raw(query)}::tsquery)`;
  const { word, recordId } = productSearchWord;
  const isLengthNear = sql`char_length(${word}) between char_length(asked.word) - asked.edits
    and char_length(asked.word) + asked.edits`;
  return await inTransaction(ctx, async ({ db }) => {
    await lowerSimilarityThreshold(db);
    return await db.execute<Similar>(sql`
      select asked.index as "index", near.word as "word", near.lexeme as "lexeme"
      from json_to_recordset(${JSON.stringify(candidates)}::json)
        as asked(index int, word text, edits int, lexemes text)
      cross join lateral (
        select ${word} as word, format(case when ${recordId} is null then '''%s''' else '''#%2$s''' end,
          ${word}, ${recordId}) as lexeme
        from ${productSearchWord}
        where ${ownedBy(ctx, productSearchWord)} and ${word} % asked.word
          and case when ${isLengthNear}
            then levenshtein_less_equal(${word}, asked.word, 2 * asked.edits) end <= 2 * asked.edits
        order by levenshtein_less_equal(${word}, asked.word, 2 * asked.edits)
        limit ${sql.raw(String(MAX_SIMILAR_WORDS))}
      ) as near
      where not ${inUse('asked.lexemes')} and ${inUse('near.lexeme')}`);
  });
}

/**
 * For the operator `%`, until the transaction ends. On a cluster SET LOCAL reaches the node of the merchant's rows;
 * settings of a function and `set_config` do not.
 */
async function lowerSimilarityThreshold(db: Context['db']): Promise<void> {
  await db.execute(sql`set local citus.propagate_set_commands = 'local'`);
  await db.execute(sql`set local pg_trgm.similarity_threshold = ${sql.raw(String(SIMILARITY_THRESHOLD))}`);
}

/** The conditions on a document as texts of `tsquery`. */
export function searchQuery({ code, words }: Pick<Terms, 'code' | 'words'>): {
  match: string;
  code: string;
  relevance: string;
} {
  const isCode = quoted(`=${code}`);
  const all = words.map(({ lexemes }) => `(${lexemes.join('|')})`).join('&');
  const relevance = [...new Set(words.flatMap((term) => term.relevance))].join('|');
  return { match: all ? `${all}|${isCode}` : isCode, code: isCode, relevance: relevance || isCode };
}

function asTerm({ word, known, recordIds }: FoundWord): Term {
  const start = `${quoted(word)}:*`;
  const forms = known && known.length > MAX_PREFIX_WORDS ? [start] : [...new Set(known ?? [])].map(quoted);
  const names = (recordIds ?? []).map((id) => quoted(`#${id}`));
  const lexemes = [...forms, ...names, `${quoted(`+${word}`)}:*`];
  // The word itself counts twice in the rank, so that it comes before longer words.
  return { word, isKnown: forms.length + names.length > 0, lexemes, relevance: [quoted(word), start, ...names] };
}

/** Words with digits are codes or sizes and are not corrected. */
function isCorrectable(word: string): boolean {
  const letters = Array.from(word).length;
  return letters >= MIN_CORRECTED_LENGTH && letters <= MAX_CORRECTED_LENGTH && !/\p{N}/u.test(word);
}

function editsAllowed(word: string): number {
  return Array.from(word).length <= MAX_ONE_EDIT_LENGTH ? 1 : 2;
}

function corrected(term: Term, similar: Similar[]): Term {
  const distances = similar.map(({ word }) => editDistance(word, term.word));
  const nearest = Math.min(editsAllowed(term.word), ...distances);
  const lexemes = similar.filter((_, index) => distances[index] === nearest).map(({ lexeme }) => lexeme);
  return lexemes.length > 0 ? { ...term, lexemes, relevance: lexemes } : term;
}

function quoted(lexeme: string): string {
  return `'${lexeme.replace(/['\\]/g, '$&$&')}'`;
}
