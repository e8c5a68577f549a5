-- Returns the entries whose delta is refused. Each entry is checked as if all entries before it were applied.
-- EXPECTED: the count is not the expected one; AVAILABLE: less than 0 would be available; RANGE: the count would be
-- too large. `actual` is the count before the entry, for AVAILABLE the available quantity. Entries that an earlier
-- request applied are not checked. The caller has locked the counts.
create or replace function refused_deltas(
  merchant uuid, numbers integer[], counts uuid[], deltas numeric[], expecteds numeric[], allowances boolean[],
  are_done boolean[])
returns table (entry integer, problem text, actual numeric)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  return query
  select r.n, r.problem, case r.problem when 'AVAILABLE' then r.available else r.count_before end
  from (
    select e.n, e.count_before, e.count_before - e.held as available,
      refused_delta(
        e.count_before, e.held, e.delta, e.expected, e.allowed is true or e.may_be_negative) as problem
    from (
      select e.n, e.delta, e.expected, e.allowed, c.held, c.may_be_negative,
        c.stock_count + sum(e.delta) over counted - e.delta as count_before
      from unnest(numbers, counts, deltas, expecteds, allowances, are_done)
        as e(n, id, delta, expected, allowed, is_done)
      join stock_states(merchant, counts) c on c.id = e.id
      where not e.is_done
      window counted as (partition by e.id order by e.n)
    ) e
  ) r
  where r.problem is not null;
end $$;
