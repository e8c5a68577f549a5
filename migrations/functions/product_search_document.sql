-- Makes the search document of a product. `attributes` and `options` are JSON arrays with one element for the product
-- and one for each variant: the list that is stored there. `record_ids` are the ids of its brand, categories and tags.
-- All words have positions, for phrases. The limits of the texts keep the document below 1 MB, the limit of tsvector: a
-- character of Chinese can take 14 bytes. PL/pgSQL, because it plans its statements once per session. An SQL function
-- with sub-selects is planned for each statement.
create or replace function product_search_document(
    name text, description text, translations json, attributes json, options json, codes text, record_ids uuid[])
  returns tsvector
  language plpgsql immutable parallel safe
  as $$
    declare
      max_names constant int := 64;
      max_ids constant int := 1000;
      names text[] := array[name];
      texts text := description;
      option_ids text[];
    begin
      if translations is not null then
        select names || array_agg(t ->> 'name') filter (where t ->> 'name' <> ''),
          concat_ws(chr(10), texts, string_agg(t ->> 'description', chr(10)))
          into names, texts from json_array_elements(translations) as t;
      end if;
      if attributes is not null then
        -- Nobody searches for dates, ids, tables and booleans.
        select concat_ws(chr(10), texts, string_agg(a ->> 'value', chr(10)) filter (where a ->> 'value'
            !~ '^(\s*[[{]|true$|false$|\d{4}-\d\d-\d\d|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})')),
          array_agg(distinct a ->> 'productAttributeOptionId')
            filter (where a ->> 'productAttributeOptionId' is not null)
          into texts, option_ids from json_array_elements(attributes) as list, json_array_elements(list) as a;
      end if;
      if options is not null then
        option_ids := option_ids || array(
          select distinct o ->> 'variantValueId'
          from json_array_elements(options) as list, json_array_elements(list) as o);
      end if;
      return setweight(product_search_words(array_to_string(names, chr(10)), 8192), 'A')
        || product_search_words(regexp_replace(texts, '<[a-zA-Z/!][^>]*>', ' ', 'g'), 65536)
        || product_search_codes(coalesce(codes, ''))
        || array_to_tsvector(
          array(select distinct '~' || product_search_exact_name(n) from unnest(names[:max_names]) as n))
        || coalesce('''#' || nullif(array_to_string(record_ids[:max_ids], ''':1B ''#'), '') || ''':1B', '')::tsvector
        || coalesce('''#' || nullif(array_to_string(
          array(select id from unnest(option_ids) as id where translate(id, '\''', '') = id limit max_ids),
          ''':1C ''#'), '') || ''':1C', '')::tsvector;
    end
  $$;
