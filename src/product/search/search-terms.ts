import { type SQL, sql } from 'drizzle-orm';
import { productSearchPending, productSearchWord } from '../../../drizzle/product-search.ts';
import type { Context } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { beginsWith, namedRecords } from './named-records.ts';
import { MAX_QUERY_LENGTH } from './search-input.ts';
import { type Operand, phrase, quoted } from './text-query.ts';

/**
 * A prefix is searched as a list of its stored words, because GIN reads all lexemes with a prefix, also those of other
 * merchants: 21,000 blocks for a shop of 10 products beside one of 1,000,000. The terms of a query share this number of
 * words and of bytes. For a term with more of them the merchant's documents are compared without the index, or those
 * that have the other terms. Measured: to find a document by 115 words takes as long as to compare three.
 */
const MAX_PREFIX_WORDS = 256;
const MAX_PREFIX_BYTES = 8_192;
/**
 * Records that a query finds by their names, at most: for each term those whose names contain all terms, and then those
 * that come first in alphabetical order.
 */
const MAX_NAMED_RECORDS = 1_000;

/**
 * The parsed query, in folded case. `code` is the whole query as a possible sku or barcode, `name` as a possible name.
 * `hasPendingDocuments`: some products' search documents are not written yet.
 */
export type Terms = { code: string; name: string; words: Term[]; hasPendingDocuments: boolean };

/**
 * A word, or a run of characters without spaces (`isRun`). A document must contain one of the `lexemes`, which are
 * texts of `tsquery`. `indexed` are such texts without prefixes that other merchants have, for the index. They find
 * the same documents or more; null if there are none. The rank counts the lexemes of `relevance` and `names`: those of
 * the texts, and of records whose names contain the term. `operands` are its words in a phrase.
 */
export type Term = {
  word: string;
  isRun: boolean;
  isKnown: boolean;
  lexemes: string[];
  indexed: string[] | null;
  relevance: string[];
  operands: Operand[];
  names: string[];
};

/**
 * `known`: the stored words that begin with a word, no words if they are too many, and null if there are none.
 * `recordIds`: the records whose names contain the term, up to their limit.
 */
type FoundTerm = {
  words: string[];
  positions: number[];
  isRun: boolean;
  known: string[] | null;
  recordIds: string[];
};

export async function findTerms(ctx: Context, query: string): Promise<Terms> {
  const records = sql`(select ceil(${sql.raw(String(MAX_NAMED_RECORDS))}::float / count(*))::int from term)`;
  const ofTerms = { records, words: sql`(select sum(cardinality(pairs)) from term)` };
  const ofWhole = { records, words: sql`cardinality(whole.words)` };
  const [found] = await readRows(
    ctx,
    {
      code: column.text,
      codeStart: column.text,
      name: column.text,
      words: column.text,
      whole: column.text,
      hasPendingDocuments: column.boolean,
    },
    sql`
    with ${termsOf(query)}
    select product_search_code(${query}) as "code",
      product_search_code_start(${ctx.merchantId}) as "codeStart", product_search_exact_name(${query}) as "name",
      exists (select from ${productSearchPending} where ${ownedBy(ctx, productSearchPending)}) as "hasPendingDocuments",
      coalesce(json_agg(json_build_object(
        'words', term.words,
        'positions', term.positions,
        'isRun', term.is_run,
        'known', case when not term.is_run then ${knownWords(ctx, sql`term.words[1]`)} end,
        'recordIds', ${namedRecords(ctx, sql`term.pairs`, ofTerms)}) order by term.number), '[]')::text as "words",
      coalesce((
        select ${namedRecords(ctx, sql`whole.words`, ofWhole)} from (
          select array_agg(distinct pair.word) as words from term, unnest(term.pairs) as pair(word)
          having count(distinct term.number) > 1) as whole
      ), '[]')::text as "whole"
    from term`,
  );
  const { words, whole, codeStart, ...rest } = found!;
  const first = JSON.parse(whole) as string[];
  const terms = JSON.parse(words) as FoundTerm[];
  const maxNames = Math.ceil(MAX_NAMED_RECORDS / terms.length);
  return {
    ...rest,
    words: terms.map((term) => {
      const names = [...new Set([...first, ...term.recordIds])].slice(0, maxNames).map((id) => quoted(`#${id}`));
      return term.isRun ? runTerm(term, names) : wordTerm(term, names, codeStart);
    }),
  };
}

/** The stored words that begin with `start`, as a JSON list. */
function knownWords(ctx: Context, start: SQL): SQL {
  const share = (limit: number): SQL => sql`(select ${sql.raw(String(limit))} / count(*) from term)`;
  return sql`(
    select case when count(*) <= ${share(MAX_PREFIX_WORDS)} and sum(octet_length(known.word)) <= ${share(MAX_PREFIX_BYTES)}
      then json_agg(known.word) when count(*) > 0 then '[]' end
    from (
      select ${productSearchWord.word} as word from ${productSearchWord}
      where ${ownedBy(ctx, productSearchWord)} and ${beginsWith(start)} and ${productSearchWord.recordId} is null
      limit ${share(MAX_PREFIX_WORDS)} + 1) as known)`;
}

/** The CTE `term`. A word is a term of its own. The pairs of a run are a term that ends with its last character. */
function termsOf(query: string): SQL {
  const asked = sql`product_search_words(${query}, ${sql.raw(String(MAX_QUERY_LENGTH))})`;
  return sql`
    token as (
      select asked.word, place.position, asked.word ~ ('^' || product_search_unspaced()) as is_run,
        coalesce(lag(asked.word ~ ('^(' || product_search_unspaced() || '){2}')) over (order by place.position), false)
          as is_behind_pair
      from unnest(${asked}) as asked(word, positions), unnest(asked.positions) as place(position)
    ),
    term as (
      select numbered.number, numbered.is_run, array_agg(numbered.word order by numbered.position) as words,
        trim_array(array_agg(numbered.word order by numbered.position), (count(*) > 1)::int) as pairs,
        array_agg(numbered.position order by numbered.position) as positions
      from (
        select token.*,
          count(*) filter (where not (token.is_run and token.is_behind_pair)) over (order by token.position) as number
        from token) as numbered
      group by numbered.number, numbered.is_run
    )`;
}

/** Characters with their combining marks, as `product_search_unspaced` has them. */
export function charactersOf(text: string): string[] {
  return text.match(/\P{M}\p{M}*/gu) ?? [];
}

function wordTerm({ words, positions, known }: FoundTerm, names: string[], codeStart: string): Term {
  const [word, start] = [words[0]!, `${quoted(words[0]!)}:*`];
  const hasTooMany = known?.length === 0;
  const forms = hasTooMany ? [start] : [...new Set(known)].map(quoted);
  const lexemes = [...forms, ...names, `${quoted(codeStart + word)}:*`];
  return {
    word,
    isRun: false,
    isKnown: known !== null || names.length > 0,
    lexemes,
    indexed: hasTooMany ? null : lexemes,
    relevance: [start],
    operands: [{ word, position: positions[0]!, isPrefix: false }],
    names,
  };
}

/** A single character is the beginning of a pair. Otherwise all pairs must follow each other. */
function runTerm({ words, positions }: FoundTerm, names: string[]): Term {
  const isPrefix = words.length === 1;
  const pairs = isPrefix ? words : words.slice(0, -1);
  const operands = pairs.map((word, index) => ({ word, position: positions[index]!, isPrefix }));
  const lexemes = [phrase(operands), ...names];
  return {
    word: words.map((word) => charactersOf(word)[0]!).join(''),
    isRun: true,
    isKnown: true,
    lexemes,
    indexed: isPrefix ? null : lexemes,
    relevance: operands.map((operand) => phrase([operand])),
    operands,
    names,
  };
}

/** The texts that are in every list. */
export function common([first = [], ...others]: readonly (readonly string[])[]): string[] {
  const sets = others.map((list) => new Set(list));
  return first.filter((text) => sets.every((set) => set.has(text)));
}
