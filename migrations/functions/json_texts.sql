-- The texts of one member of the objects in a list, and of the lists that it holds: ids that indexes and filters ask for.
create or replace function json_texts(list json, member text) returns text[]
  language plpgsql immutable strict parallel safe
  as $$
    begin
      return array(
        select found.value from json_array_elements(list) as listed(entry), lateral (
          select entry ->> member as value where json_typeof(entry -> member) = 'string'
          union all
          select json_array_elements_text(entry -> member) where json_typeof(entry -> member) = 'array'
        ) as found);
    end
  $$;
