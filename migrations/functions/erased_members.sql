-- The members of a change of an erased customer: each value is "erased". Times of the record and whether it is deleted
-- stay, which say nothing about the person.
create or replace function erased_members(members json) returns json
language sql immutable parallel safe as $$
  select json_object_agg(
    m.key,
    case
      when m.value::text = 'null' or m.key in ('createdAt', 'updatedAt', 'deleted') then m.value
      else '"erased"'::json
    end)
  from json_each(members) m
$$;
