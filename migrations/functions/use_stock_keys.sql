-- Stores the keys of entries, without those that are used already, with the records that were made for them in the same
-- order. Entries next to each other may have the same key. Returns the entries whose key another transaction has used
-- meanwhile, for stock that this one has not locked.
create or replace function use_stock_keys(
  merchant uuid, numbers integer[], keys text[], hashes text[], used text[], made uuid[])
returns table (entry integer) language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  new_keys text[];
  stored integer;
begin
  new_keys := array(
    select e.key from unnest(keys) with ordinality as e(key, place) where e.key <> all(used) order by e.place);
  insert into stock_key (merchant_id, key, content_hash, record_ids)
  select merchant, k.key, k.hash, k.record_ids
  from (
    select e.key, min(h.hash) as hash, array_agg(e.record_id order by e.place) as record_ids
    from unnest(new_keys, made) with ordinality as e(key, record_id, place)
    join (select distinct h.key, h.hash from unnest(keys, hashes) as h(key, hash)) h on h.key = e.key
    group by e.key
  ) k
  -- All transactions write in one order, which prevents deadlocks.
  order by k.key
  on conflict (merchant_id, key) do nothing;
  get diagnostics stored = row_count;
  if stored < (select count(distinct k) from unnest(new_keys) k) then
    return query select w.entry from wrong_stock_keys(merchant, numbers, keys, hashes) w;
  end if;
end $$;
