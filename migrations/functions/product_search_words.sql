-- The words of a text with their positions. In scripts without spaces each character starts a word of two characters,
-- and the last character of a run is a word of its own: "ABC" becomes "AB BC C". So any part of a run is a phrase of
-- consecutive words. Such a text is cut at 16,384 characters: tsvector keeps no later positions.
create or replace function product_search_words(content text, max_length integer) returns tsvector
  language plpgsql immutable parallel safe
  as $$
    declare
      folded text := product_search_fold(content, max_length);
    begin
      if octet_length(folded) <> char_length(folded) and folded ~ product_search_unspaced() then
        -- "ABC" becomes "|ABC ", then "|A AB BC C ", then " AB BC C ". The text has no punctuation.
        folded := regexp_replace(left(folded, 16384), '((?:' || product_search_unspaced() || ')+)', '|\1 ', 'g');
        folded := regexp_replace(folded, '(' || product_search_unspaced() || ')', '\1 \1', 'g');
        folded := regexp_replace(folded, '\|\S+', '', 'g');
      end if;
      return coalesce(to_tsvector('pg_catalog.simple', folded), '');
    end
  $$;
