-- Sells what is held: a movement SOLD for each active hold. Returns the ids that are no holds, or holds that have ended
-- in another way, with what they are; then nothing is done. With RANGE, returns those that would leave a count outside
-- the limits of a save, and then the caller must roll back.
create or replace function commit_holds(merchant uuid, hold_ids uuid[])
returns table (refused uuid, status text)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  found_ids uuid[];
  statuses text[];
  counts uuid[];
  quantities numeric[];
  keys text[];
  refs text[];
begin
  select array_agg(h.hold_id), array_agg(h.status), array_agg(h.count_id), array_agg(h.quantity), array_agg(h.key),
    array_agg(h.reference)
  into found_ids, statuses, counts, quantities, keys, refs
  from lock_holds(merchant, hold_ids) h;
  return query select * from refused_hold_ids(hold_ids, found_ids, statuses, '{ACTIVE,COMMITTED}');
  if found or not 'ACTIVE' = any(statuses) then
    return;
  end if;
  perform append_stock_movements(
    merchant, array_agg(h.count_id), array_agg(-h.quantity), array_agg('SOLD'::text), array_agg(null::text),
    array_agg(h.reference), array_agg(h.key))
  from unnest(statuses, counts, quantities, refs, keys) as h(status, count_id, quantity, reference, key)
  where h.status = 'ACTIVE';
  return query select h.id, 'RANGE'
  from stock_hold h
  join product_stock_location c on c.merchant_id = merchant and c.id = h.product_stock_location_id
  where h.merchant_id = merchant and h.id = any(found_ids) and h.status = 'ACTIVE'
    and abs(c.stock_count) > 1000000000000;
  if found then
    return;
  end if;
  update stock_hold h set status = 'COMMITTED'
  where h.merchant_id = merchant and h.id = any(found_ids) and h.status = 'ACTIVE';
end $$;
