-- The ids that are no holds, with null, and those of holds with another status than the allowed ones.
create or replace function refused_hold_ids(hold_ids uuid[], found_ids uuid[], statuses text[], allowed text[])
returns table (refused uuid, status text) language sql immutable as $$
  select i.id, h.status
  from unnest(hold_ids) as i(id) left join unnest(found_ids, statuses) as h(id, status) on h.id = i.id
  where h.id is null or h.status <> all(allowed)
$$;
