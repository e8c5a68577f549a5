-- The words of a text in folded case, separated by punctuation. The text search parser would read "a-1" as a word and a
-- negative number. Cut where a document might exceed the size limit of tsvector.
create or replace function product_search_words(text) returns tsvector
  language sql immutable parallel safe
  as $$
    select coalesce(to_tsvector('pg_catalog.simple', regexp_replace(fold(left($1, 65536)), '[!-/:-@[-`{-~]', ' ', 'g')), '')
  $$;
