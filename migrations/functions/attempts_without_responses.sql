-- The attempt log of a delivery without what receivers have answered.
create or replace function attempts_without_responses(attempts json) returns json
language sql immutable parallel safe as $$
  select coalesce(json_agg(a.value::jsonb - 'responseBody' - 'responseHeaders' order by a.place), '[]')
  from json_array_elements(attempts) with ordinality as a(value, place)
$$;
