-- Reads one member of each object in a list. Returns the texts, or null if there are none. If the member is itself a
-- list, each text in it is returned. Used for ids in indexes and filters.
create or replace function json_texts(list json, member text) returns text[]
  language plpgsql immutable strict parallel safe
  as $$
    begin
      return nullif(array(
        select found.value from json_array_elements(list) as listed(entry), lateral (
          select entry ->> member as value where json_typeof(entry -> member) = 'string'
          union all
          select json_array_elements_text(entry -> member) where json_typeof(entry -> member) = 'array'
        ) as found), '{}');
    end
  $$;
