-- Why a delta is refused for a count of which a quantity is held. Null if it is not. refused_deltas.sql has the
-- meaning.
create or replace function refused_delta(
  count numeric, held numeric, delta numeric, expected numeric, may_be_negative boolean)
returns text language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select case
    -- Clients read counts as double precision, which near the limit has fewer decimals.
    when expected::double precision <> count::double precision then 'EXPECTED'
    when abs(count + delta) > 1000000000000 then 'RANGE'
    when delta < 0 and count + delta - held < 0 and not may_be_negative then 'AVAILABLE'
  end
$$;
