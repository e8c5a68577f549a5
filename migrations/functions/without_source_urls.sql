-- A list of pictures, as JSON text, without the addresses from which they were fetched: those may have keys of the host
-- from which one app has fetched, and changes are shown to others. What is no list of objects stays as it is.
create or replace function without_source_urls(images text) returns text
language sql immutable strict as $$
  select case when images not like '%"sourceUrl"%' or json_typeof(images::json) <> 'array' then images else (
    select '[' || coalesce(string_agg(case json_typeof(image.value) when 'object' then '{' || coalesce((
        select string_agg(to_json(member.key)::text || ':' || member.value::text, ',' order by member.ordinality)
        from json_each(image.value) with ordinality member where member.key <> 'sourceUrl'), '') || '}'
      else image.value::text end, ',' order by image.ordinality), '') || ']'
    from json_array_elements(images::json) with ordinality image) end
$$;
