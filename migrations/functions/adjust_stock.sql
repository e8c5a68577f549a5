-- Adds deltas to stock counts in the order of the entries: all of them or none. An entry whose key was used before is
-- not applied again. First locks the counts, then checks the entries in later statements, which see all that was
-- committed before the locks. Returns a row for each refused entry, and then the caller must roll back. If no entry is
-- refused, returns for each entry the ids of the movements of its key, made now or by an earlier request.
create or replace function adjust_stock(merchant uuid, entries json)
returns table (entry integer, problem text, actual numeric, movement_ids uuid[])
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  numbers integer[];
  entry_keys text[];
  hashes text[];
  products uuid[];
  variants uuid[];
  locations uuid[];
  deltas numeric[];
  kinds text[];
  reasons text[];
  refs text[];
  expecteds numeric[];
  allowances boolean[];
  counts uuid[];
  used text[];
  made uuid[];
begin
  select array_agg(e.n), array_agg(e.key), array_agg(e.hash), array_agg(e.product), array_agg(e.variant),
    array_agg(e.location), array_agg(e.delta), array_agg(e.kind), array_agg(e.reason), array_agg(e.reference),
    array_agg(e.expected), array_agg(e.allowed)
  into numbers, entry_keys, hashes, products, variants, locations, deltas, kinds, reasons, refs, expecteds, allowances
  from json_to_recordset(entries) as e(
    n integer, key text, hash text, product uuid, variant uuid, location uuid, delta numeric, kind text, reason text,
    reference text, expected numeric, allowed boolean);
  counts := stock_places(merchant, products, variants, locations);
  if array_position(counts, null) is not null then
    return query select r.entry, r.problem, null::numeric, null::uuid[]
    from open_stock_counts(merchant, numbers, counts, products, variants, locations) r;
    if found then
      return;
    end if;
    counts := stock_places(merchant, products, variants, locations);
  end if;
  perform lock_stock_counts(merchant, counts);
  used := array(select k.key from stock_key k where k.merchant_id = merchant and k.key = any(entry_keys));
  if cardinality(used) > 0 then
    return query select r.entry, 'KEY', null::numeric, null::uuid[]
    from wrong_stock_keys(merchant, numbers, entry_keys, hashes) r;
    if found then
      return;
    end if;
  end if;
  return query select r.entry, r.problem, r.actual, null::uuid[]
  from refused_deltas(
    merchant, numbers, entry_keys, counts, deltas, expecteds, allowances,
    array(select e.key = any(used) from unnest(entry_keys) with ordinality as e(key, place) order by e.place)) r;
  if found then
    return;
  end if;
  if not entry_keys <@ used then
    select append_stock_movements(
      merchant, array_agg(e.id), array_agg(e.delta), array_agg(e.kind), array_agg(e.reason), array_agg(e.reference),
      array_agg(e.key))
    into made
    from unnest(counts, deltas, kinds, reasons, refs, entry_keys) as e(id, delta, kind, reason, reference, key)
    where e.key <> all(used);
    return query select r.entry, 'KEY', null::numeric, null::uuid[]
    from use_stock_keys(merchant, numbers, entry_keys, hashes, used, made) r;
    if found then
      return;
    end if;
  end if;
  return query select e.n, null::text, null::numeric, k.record_ids
  from unnest(numbers, entry_keys) as e(n, key)
  cross join lateral (
    select k.record_ids from stock_key k where k.merchant_id = merchant and k.key = e.key limit 1) k;
end $$;
