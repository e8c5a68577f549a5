-- `records` are the lexemes of the product's brand and tags.
-- PL/pgSQL, because it plans its statements once per session. An SQL function with sub-selects is planned for each
-- statement.
create or replace function product_search_document(name text, description text, codes text, records text) returns tsvector
  language plpgsql immutable parallel safe
  as $$
    begin
      return setweight(product_search_words(name), 'A')
        || strip(product_search_words(regexp_replace(description, '<[a-zA-Z/!][^>]*>', ' ', 'g')))
        || product_search_codes(coalesce(codes, ''))
        || coalesce(records, '')::tsvector;
    end
  $$;
