-- Returns the deltas that are refused. Each is checked as if the entries before it that are not refused were applied:
-- an entry is the deltas with its key, which are next to each other, and is applied with all of them or not at all.
-- EXPECTED: the count is not the expected one; AVAILABLE: less than 0 would be available; RANGE: the count would be
-- too large. `actual` is the count before the entry, for AVAILABLE the available quantity. Entries that an earlier
-- request applied are not checked. The caller has locked the counts. If plain SQL has removed one of them before, fails
-- with a serialization failure: the repeated transaction adds a row.
create or replace function refused_deltas(
  merchant uuid, numbers integer[], entry_keys text[], counts uuid[], deltas numeric[], expecteds numeric[],
  allowances boolean[], are_done boolean[])
returns table (entry integer, problem text, actual numeric)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  known record;
  places integer[];
  present numeric[];
  place integer;
  first integer := 1;
  is_refused boolean := false;
begin
  -- In a statement of its own: Citus cannot call a function that reads tables within a query on distributed tables.
  select array_agg(c.id) as ids, array_agg(c.stock_count) as counts, array_agg(c.held) as held,
    array_agg(c.may_be_negative) as allowed
  into known
  from stock_states(merchant, counts) c;
  present := known.counts;
  places := array(
    select c.place::integer from unnest(counts) with ordinality as e(id, n)
    left join unnest(known.ids) with ordinality as c(id, place) on c.id = e.id
    order by e.n);
  for n in 1..cardinality(numbers) loop
    continue when are_done[n];
    if entry_keys[n] <> entry_keys[first] then
      first := n;
      is_refused := false;
    end if;
    place := places[n];
    if place is null then
      raise exception 'plain SQL has removed a stock count meanwhile' using errcode = 'serialization_failure';
    end if;
    problem := refused_delta(
      present[place], known.held[place], deltas[n], expecteds[n], allowances[n] is true or known.allowed[place]);
    if problem is not null then
      entry := numbers[n];
      actual := case problem when 'AVAILABLE' then present[place] - known.held[place] else present[place] end;
      return next;
      -- The deltas of the entry before this one were added.
      for m in first..n - 1 loop
        present[places[m]] := present[places[m]] - case when is_refused then 0 else deltas[m] end;
      end loop;
      is_refused := true;
    elsif not is_refused then
      present[place] := present[place] + deltas[n];
    end if;
  end loop;
end $$;
