-- The texts by which a search finds a record, one per line: its name and translated names; nothing if it is deleted.
-- Only the name if the row has JSON that the functions of PostgreSQL refuse, such as half of a surrogate pair.
create or replace function product_search_label(version anyelement) returns text
  language plpgsql stable
  as $$
    declare
      translations json;
    begin
      if version.deleted then
        return null;
      end if;
      translations := to_json(version) -> 'translations';
      return concat_ws(chr(10), version.name, case when json_typeof(translations) = 'array' then
        array_to_string(json_texts(translations, 'name'), chr(10)) end);
    exception when data_exception then
      return version.name;
    end
  $$;
