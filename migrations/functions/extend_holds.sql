-- Sets the end of active holds. Returns the ids that are no holds, or holds that are not active; then nothing is done.
-- With PAST or FAR as the status of no hold, the time is in the past, or in more than 30 days.
create or replace function extend_holds(merchant uuid, hold_ids uuid[], expires_ms bigint)
returns table (refused uuid, status text)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  ends_at timestamptz := to_timestamp(expires_ms / 1000.0);
  found_ids uuid[];
  statuses text[];
begin
  if ends_at <= clock_timestamp() or ends_at > clock_timestamp() + interval '720 hours' then
    return query select null::uuid, case when ends_at <= clock_timestamp() then 'PAST' else 'FAR' end;
    return;
  end if;
  select array_agg(h.hold_id), array_agg(h.status) into found_ids, statuses from lock_holds(merchant, hold_ids) h;
  return query select * from refused_hold_ids(hold_ids, found_ids, statuses, '{ACTIVE}');
  if found then
    return;
  end if;
  update stock_hold h set expires_at = ends_at
  where h.merchant_id = merchant and h.id = any(found_ids) and h.expires_at <> ends_at;
end $$;
