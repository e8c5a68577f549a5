-- Holds stock for all entries, or for none, as adjust_stock.sql adds deltas. Returns a row for each refused entry, and
-- then the caller must roll back; `detail` lists the products of a bundle. If no entry is refused, returns for each
-- entry the hold of its key, made now or by an earlier request.
create or replace function hold_stock(merchant uuid, entries json)
returns table (entry integer, problem text, actual numeric, detail text, hold_id uuid)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  numbers integer[];
  entry_keys text[];
  hashes text[];
  products uuid[];
  variants uuid[];
  locations uuid[];
  quantities numeric[];
  refs text[];
  expiries_ms bigint[];
  counts uuid[];
  used text[];
  made uuid[];
  made_at timestamptz;
begin
  select array_agg(e.n), array_agg(e.key), array_agg(e.hash), array_agg(coalesce(e.product, v.product_id)),
    array_agg(e.variant), array_agg(e.location), array_agg(e.quantity), array_agg(e.reference), array_agg(e.expires)
  into numbers, entry_keys, hashes, products, variants, locations, quantities, refs, expiries_ms
  from json_to_recordset(entries) as e(
    n integer, key text, hash text, product uuid, variant uuid, location uuid, quantity numeric, reference text,
    expires bigint)
  left join lateral (
    select v.product_id from variant v where v.merchant_id = merchant and v.id = e.variant limit 1) v on true;
  counts := stock_places(merchant, products, variants, locations);
  perform lock_stock_counts(merchant, counts);
  used := array(select k.key from stock_key k where k.merchant_id = merchant and k.key = any(entry_keys));
  if cardinality(used) > 0 then
    return query select r.entry, 'KEY', null::numeric, null::text, null::uuid
    from wrong_stock_keys(merchant, numbers, entry_keys, hashes) r;
    if found then
      return;
    end if;
  end if;
  return query select r.entry, r.problem, r.actual, r.detail, null::uuid
  from refused_holds(
    merchant, numbers, counts, products, variants, locations, quantities, expiries_ms,
    array(select e.key = any(used) from unnest(entry_keys) with ordinality as e(key, place) order by e.place)) r;
  if found then
    return;
  end if;
  if not entry_keys <@ used then
    -- One time for all, so that ids and times have the same order.
    made_at := clock_timestamp();
    made := array(select uuid_v7() from unnest(entry_keys) as e(key) where e.key <> all(used));
    insert into stock_hold
      (merchant_id, id, product_stock_location_id, product_id, variant_id, stock_location_id, quantity, key, reference,
        created_at, expires_at)
    select merchant, m.id, e.count_id, e.product_id, e.variant_id, e.location_id, e.quantity, e.key, e.reference,
      made_at, to_timestamp(e.expires_ms / 1000.0)
    from unnest(made) with ordinality as m(id, place)
    join (
      select e.*, row_number() over (order by e.n) as place
      from unnest(numbers, counts, products, variants, locations, quantities, entry_keys, refs, expiries_ms)
        as e(n, count_id, product_id, variant_id, location_id, quantity, key, reference, expires_ms)
      where e.key <> all(used)
    ) e on e.place = m.place;
    return query select r.entry, 'KEY', null::numeric, null::text, null::uuid
    from use_stock_keys(merchant, numbers, entry_keys, hashes, used, made) r;
    if found then
      return;
    end if;
  end if;
  return query select e.n, null::text, null::numeric, null::text, k.record_ids[1]
  from unnest(numbers, entry_keys) as e(n, key)
  cross join lateral (
    select k.record_ids from stock_key k where k.merchant_id = merchant and k.key = e.key limit 1) k;
end $$;
