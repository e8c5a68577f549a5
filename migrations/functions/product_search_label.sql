-- The texts by which a search finds a record, one per line: its name and translated names; nothing if it is deleted.
create or replace function product_search_label(record json) returns text
  language plpgsql immutable parallel safe
  as $$
    begin
      return case when not (record ->> 'deleted')::boolean then
        concat_ws(chr(10), record ->> 'name', case when json_typeof(record -> 'translations') = 'array' then
          array_to_string(json_texts(record -> 'translations', 'name'), chr(10)) end) end;
    end
  $$;
