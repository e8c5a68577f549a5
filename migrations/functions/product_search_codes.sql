-- The codes of a document, given one per line. Each whole code becomes the lexeme `=code`; its words become lexemes of
-- their own. Words with digits are nearly unique, and so they do not fill product_search_word. They begin with `start`;
-- see product_search_code_start. The codes are cut at 98,304 bytes, but have at least 16,384 characters: a document
-- must not exceed the size limit of tsvector.
create or replace function product_search_codes(codes text, start text) returns tsvector
  language plpgsql immutable parallel safe
  as $$
    declare
      kept_characters constant int := 16384;
      max_bytes constant int := 98304;
      kept text := left(fold(left(codes, max_bytes)), max_bytes);
    begin
      kept := left(kept, greatest(kept_characters, max_bytes - octet_length(kept) + char_length(kept)));
      return array_to_tsvector(
        array(select '=' || left(btrim(code), 255) from string_to_table(kept, chr(10)) as code)
        || array(
          select case when word ~ '[0-9]' then start || word else word end
          from unnest(tsvector_to_array(product_search_words(kept, max_bytes))) as word));
    end
  $$;
