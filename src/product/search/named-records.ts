import { type SQL, sql } from 'drizzle-orm';
import { productSearchWord } from '../../../drizzle/product-search.ts';
import { ownedBy, type Tenant } from '../../db/sql/parameter.ts';

/** Rows of the table that are read at most to find records with several words, in all words of a query together. */
const MAX_READ_ROWS = sql.raw('10000');

/** `records`: the ids of a list, at most. `words`: how many words share the rows that are read. */
type Limits = { records: SQL; words: SQL };

/** A stored word that begins with `start`. No index would be used for `starts_with`. */
export function beginsWith(start: SQL): SQL {
  const word = sql`${productSearchWord.word} collate "C"`;
  return sql`${word} >= ${start} and ${word} < ${start} || chr(1114111)`;
}

/**
 * The ids, as a JSON list, of records whose names have all `words`, also as beginnings of words, in the alphabetical
 * order of the rarest word. Names that lack another one are left out in the database: a query can have 250 words with
 * thousands of names each.
 */
export function namedRecords(tenant: Tenant, words: SQL, max: Limits): SQL {
  const { word, recordId } = productSearchWord;
  const own = sql`${ownedBy(tenant, productSearchWord)} and ${recordId} is not null`;
  const reads = sql`case when cardinality(${words}) > 1 then ${MAX_READ_ROWS} / ${max.words} else ${max.records} end`;
  return sql`coalesce((
    select json_agg(listed.id)
    from (
      select one.word from unnest(${words}) as one(word)
      order by case when cardinality(${words}) > 1 then (
        select count(*) from (
          select from ${productSearchWord} where ${own} and ${beginsWith(sql`one.word`)} limit ${reads}) as counted) end
      limit 1) as rarest,
    lateral (
      select named.id from (
        select ${recordId} as id from ${productSearchWord} where ${own} and ${beginsWith(sql`rarest.word`)}
        order by ${word} collate "C" limit ${reads}) as named
      where not exists (
        select from unnest(${words}) as other(word)
        where other.word <> rarest.word and not exists (
          select from ${productSearchWord}
          where ${ownedBy(tenant, productSearchWord)} and ${recordId} = named.id and ${beginsWith(sql`other.word`)}))
      limit ${max.records}) as listed
  ), '[]')`;
}
