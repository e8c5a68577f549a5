-- Makes the search document of a product. `attributes` and `options` are JSON arrays with one element for the product
-- and one for each variant: the list that is stored there. An option is given by its id, or by its id in the text of a
-- value. `record_ids` are the ids of its brand, categories and tags.
-- Words are stored with their positions, so that phrases can be found. Translated descriptions and attribute texts
-- share one limit of length. The shorter texts come first, so only the longest are cut. The limits of the texts keep
-- the document below 1 MB, the limit of tsvector: a Chinese character can take 12 bytes. The function is in
-- PL/pgSQL, because it plans its statements once per session. An SQL function with sub-selects would be planned
-- again for each statement that calls it.
create or replace function product_search_document(
    name text, description text, translations json, attributes json, options json, codes text, code_start text,
    record_ids uuid[])
  returns tsvector
  language plpgsql immutable parallel safe
  as $$
    declare
      max_names constant int := 64;
      max_ids constant int := 1000;
      tag constant text := '<[a-zA-Z/!][^>]*>';
      names text[] := array[name];
      texts text[];
      other_texts text;
      option_ids text[];
    begin
      if translations is not null then
        select names || array_agg(t ->> 'name') filter (where t ->> 'name' <> ''),
          array_agg(t ->> 'description')
          into names, texts from json_array_elements(translations) as t;
      end if;
      if attributes is not null then
        -- Nobody searches for dates, ids, tables and booleans.
        select texts || array_agg(a ->> 'value') filter (where a ->> 'value'
            !~ '^(\s*[[{]|true$|false$|\d{4}-\d\d-\d\d|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})'),
          array_agg(distinct a ->> 'productAttributeOptionId')
            filter (where a ->> 'productAttributeOptionId' is not null)
          into texts, option_ids from json_array_elements(attributes) as list, json_array_elements(list) as a;
        option_ids := option_ids || array(
          select distinct option_id
          from json_array_elements(attributes) as list, unnest(json_text_ids(list, 'value')) as option_id);
      end if;
      if texts is not null then
        select string_agg(regexp_replace(other, tag, ' ', 'g'), chr(10) order by char_length(other))
          into other_texts from unnest(texts) as other;
      end if;
      if options is not null then
        option_ids := option_ids || array(
          select distinct o ->> 'variantValueId'
          from json_array_elements(options) as list, json_array_elements(list) as o);
      end if;
      return setweight(product_search_words(array_to_string(names, chr(10)), 8192), 'A')
        || product_search_words(regexp_replace(description, tag, ' ', 'g'), 65536)
        || case when other_texts is null then '' else product_search_words(other_texts, 49152) end
        || product_search_codes(coalesce(codes, ''), code_start)
        || array_to_tsvector(
          array(select distinct '~' || product_search_exact_name(n) from unnest(names[:max_names]) as n))
        || coalesce('''#' || nullif(array_to_string(record_ids[:max_ids], ''':1B ''#'), '') || ''':1B', '')::tsvector
        || coalesce('''#' || nullif(array_to_string(
          array(select distinct id from unnest(option_ids) as id where translate(id, '\''', '') = id limit max_ids),
          ''':1C ''#'), '') || ''':1C', '')::tsvector;
    end
  $$;
