-- The codes of a document, given one per line. Each whole code becomes the lexeme `=code`; its words become lexemes of
-- their own. Words with digits get the prefix `+`: they are nearly unique, and so they neither fill product_search_word
-- nor slow down prefix searches for other words.
create or replace function product_search_codes(codes text) returns tsvector
  language plpgsql immutable parallel safe
  as $$
    declare
      kept text := fold(left(codes, 65536));
    begin
      if octet_length(kept) <> char_length(kept) then
        kept := left(kept, 16384);
      end if;
      return array_to_tsvector(
        array(select '=' || left(btrim(code), 255) from string_to_table(kept, chr(10)) as code)
        || array(
          select case when word ~ '[0-9]' then '+' || word else word end
          from unnest(tsvector_to_array(product_search_words(kept, 65536))) as word));
    end
  $$;
