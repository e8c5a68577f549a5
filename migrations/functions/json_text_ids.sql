-- Finds ids in the texts of one member of the objects in a list, and returns each once in lower case, or null if there
-- are none. Such a text may be an id, a list of ids, or an address that contains an id. Most values are shorter than an
-- id, and are not searched.
create or replace function json_text_ids(list json, member text) returns text[]
  language plpgsql immutable strict parallel safe
  as $$
    begin
      return nullif(array(
        select distinct lower(matches[1])
        from json_array_elements(list) as listed(entry),
          regexp_matches(entry ->> member, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'gi') as listed_ids(matches)
        where octet_length(entry ->> member) >= 36), '{}');
    end
  $$;
