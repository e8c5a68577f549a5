-- Gives changes the next numbers of their records, and times later than those of the changes before: `steps` changes
-- for each record. Returns the last number and time of each, in the order of the arrays. The rows stay locked until the
-- end of the transaction, which orders the changes of a record.
create or replace function number_changes(
  merchant uuid, ids uuid[], types text[], steps integer[], out last_numbers integer[], out last_times_ms bigint[])
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  now_ms bigint := floor(extract(epoch from clock_timestamp()) * 1000);
  only_id uuid := ids[1];
  only_type text := types[1];
  only_steps integer := steps[1];
begin
  if cardinality(ids) = 1 then
    -- The same in one statement: most transactions change one record. Citus 13.2 crashes on elements of arrays.
    insert into changed_record as known (merchant_id, record_id, record_type, number, changed_at_ms)
    values (merchant, only_id, only_type, only_steps, now_ms + only_steps - 1)
    on conflict (merchant_id, record_id, record_type) do update set
      number = known.number + excluded.number,
      changed_at_ms = greatest(excluded.changed_at_ms, known.changed_at_ms + excluded.number)
    returning array[known.number], array[known.changed_at_ms] into last_numbers, last_times_ms;
    return;
  end if;
  insert into changed_record as known (merchant_id, record_id, record_type, number, changed_at_ms)
  select merchant, r.id, r.type, r.steps, now_ms + r.steps - 1
  from unnest(ids, types, steps) as r(id, type, steps)
  -- All transactions write in one order, which prevents deadlocks.
  order by r.id, r.type
  on conflict (merchant_id, record_id, record_type) do update set
    number = known.number + excluded.number,
    changed_at_ms = greatest(excluded.changed_at_ms, known.changed_at_ms + excluded.number);
  -- Lateral, so that each row is found by its key. A plan for all merchants expects one row, and would compare each
  -- record with all rows of the merchant.
  select array_agg(k.number order by r.place), array_agg(k.changed_at_ms order by r.place)
  into last_numbers, last_times_ms
  from unnest(ids, types) with ordinality as r(id, type, place)
  cross join lateral (
    select * from changed_record k
    where k.merchant_id = merchant and k.record_id = r.id and k.record_type = r.type limit 1) k;
end $$;
