-- The ids within the texts of one member of the objects in a list, each once. Such a text may be a list of ids, or of
-- addresses that contain them. Shorter texts are skipped, because most values have a few letters.
create or replace function json_text_ids(list json, member text) returns text[]
  language plpgsql immutable strict parallel safe
  as $$
    begin
      return array(
        select distinct matches[1]
        from json_array_elements(list) as listed(entry),
          regexp_matches(entry ->> member, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g') as listed_ids(matches)
        where octet_length(entry ->> member) >= 36);
    end
  $$;
