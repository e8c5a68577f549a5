-- Stored words that differ in few letters, with the lexeme that documents contain. A swap of two letters leaves few
-- common trigrams in a short word and counts as two edits here, so the limits are doubled and the service computes the
-- exact distance.
create or replace function product_search_similar(merchant uuid, asked text, edits int) returns table (word text, lexeme text)
  language sql stable
  set pg_trgm.similarity_threshold = 0.1
  as $$
    select near.word, near.lexeme from (
      select w.word, format(case when w.record_id is null then '''%s''' else '''#%2$s''' end, w.word, w.record_id) as lexeme,
        case when char_length(w.word) between char_length(asked) - edits and char_length(asked) + edits
          then levenshtein_less_equal(w.word, asked, 2 * edits) end as distance
      from product_search_word w where w.merchant_id = merchant and w.word % asked
    ) as near
    where near.distance <= 2 * edits order by near.distance limit 50
  $$;
