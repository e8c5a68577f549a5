-- The document without the texts whose paths are members of `left_out`. The paths of the objects and lists that contain
-- them are members too, with a final dot; everything else is copied unchanged.
create or replace function without_texts(node jsonb, prefix text, left_out jsonb) returns jsonb
language plpgsql immutable parallel safe as $$
begin
  if jsonb_typeof(node) = 'array' then
    return (
      select coalesce(jsonb_agg(
        case when left_out ? (prefix || e.place || '.') then without_texts(e.value, prefix || e.place || '.', left_out)
          else e.value end order by e.place), '[]')
      from (select t.value, t.place - 1 as place from jsonb_array_elements(node) with ordinality as t(value, place)) e
      where not left_out ? (prefix || e.place));
  end if;
  return (
    select coalesce(jsonb_object_agg(
      m.key,
      case when left_out ? (prefix || m.key || '.') then without_texts(m.value, prefix || m.key || '.', left_out)
        else m.value end), '{}')
    from jsonb_each(node) m
    where not left_out ? (prefix || m.key));
end $$;
