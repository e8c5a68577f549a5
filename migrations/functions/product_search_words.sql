-- The words of a text, folded, between punctuation of any kind. The parser of text search itself would take
-- "a-1" for a word and a negative number. Cut off where a document might become larger than Postgres takes.
create or replace function product_search_words(text) returns tsvector
  language sql immutable parallel safe
  as $$
    select coalesce(to_tsvector('pg_catalog.simple', regexp_replace(fold(left($1, 65536)), '[!-/:-@[-`{-~]', ' ', 'g')), '')
  $$;
