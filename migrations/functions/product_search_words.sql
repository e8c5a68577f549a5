-- The words of a text with their positions. In scripts without spaces each character starts a word of two characters,
-- and the last character of a run is a word of its own: "ABC" becomes "AB BC C". So any part of a run is a phrase of
-- consecutive words. Such a text is cut at `max_length` bytes, but has at least 16,384 characters: tsvector keeps no
-- later positions, and a few such characters do not shorten a text in another script.
create or replace function product_search_words(content text, max_length integer) returns tsvector
  language plpgsql immutable parallel safe
  as $$
    declare
      kept_characters constant int := 16384;
      folded text := product_search_fold(content, max_length);
    begin
      if octet_length(folded) <> char_length(folded) and folded ~ product_search_unspaced() then
        -- "ABC" becomes "|ABC ", then "|A AB BC C ", then " AB BC C ". The text has no punctuation.
        folded := left(folded, greatest(kept_characters, max_length - octet_length(folded) + char_length(folded)));
        folded := regexp_replace(folded, '((?:' || product_search_unspaced() || ')+)', '|\1 ', 'g');
        folded := regexp_replace(folded, '(' || product_search_unspaced() || ')', '\1 \1', 'g');
        folded := regexp_replace(folded, '\|\S+', '', 'g');
      end if;
      return coalesce(to_tsvector('pg_catalog.simple', folded), '');
    end
  $$;
