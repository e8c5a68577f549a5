-- The texts by which a search finds a record, one per line: its name and translated names; nothing if it is deleted.
-- If the row has JSON that PostgreSQL stores and does not read, only its name.
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
