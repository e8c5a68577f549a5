-- Ends holds before their time. Returns the ids that are no holds, or committed ones; then nothing is done. A hold
-- whose time is over is left to the sweep.
create or replace function release_holds(merchant uuid, hold_ids uuid[])
returns table (refused uuid, status text)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  found_ids uuid[];
  statuses text[];
  now_at timestamptz;
begin
  select array_agg(h.hold_id), array_agg(h.status) into found_ids, statuses from lock_holds(merchant, hold_ids) h;
  return query select * from refused_hold_ids(hold_ids, found_ids, statuses, '{ACTIVE,ENDED,EXPIRED,RELEASED}');
  if found then
    return;
  end if;
  -- Once the holds are locked, and not in the statement: a cluster refuses volatile functions there.
  now_at := clock_timestamp();
  update stock_hold h set status = 'RELEASED'
  where h.merchant_id = merchant and h.id = any(found_ids) and h.status = 'ACTIVE'
    and h.expires_at > now_at;
end $$;
