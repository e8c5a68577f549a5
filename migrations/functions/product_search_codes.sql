-- The part of a document that is made of codes, which come one a line: each code whole, behind `=`, and its words. Words
-- with digits, which nearly every product has others of, stand behind `+`: so there are few other words, and few of each
-- product's `+` words begin alike.
create or replace function product_search_codes(codes text) returns tsvector
  language plpgsql immutable parallel safe
  as $$
    declare
      kept text := fold(left(codes, 65536));
    begin
      return array_to_tsvector(
        array(select '=' || left(btrim(code), 255) from string_to_table(kept, chr(10)) as code)
        || array(select case when word ~ '[0-9]' then '+' || word else word end from unnest(tsvector_to_array(product_search_words(kept))) as word));
    end
  $$;
