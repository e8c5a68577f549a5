-- Members of the event store/stock/updated beside its data, for each of the stock counts: `delta` is what the current
-- transaction has added so far; `reason` and `reference` are those of its movements, and null if the movements differ.
-- Sequential scans are off; `begin_stock_movements` says why.
create or replace function stock_event_details(merchant uuid, counts uuid[]) returns text[]
language plpgsql stable set search_path = pg_catalog, public, pg_temp set enable_seqscan = off as $$
declare
  transaction_key uuid;
  set_ids uuid[];
begin
  select t.id, coalesce(t.change_set_ids, array[t.change_set_id]) into transaction_key, set_ids
  from change_transaction t
  where t.merchant_id = merchant and t.transaction_id = pg_current_xact_id();
  return array(
    select json_build_object(
      'delta', trim_scale(coalesce(sum(m.delta), 0)),
      'reason', case when count(m.reason) = count(*) and min(m.reason) = max(m.reason) then min(m.reason) end,
      'reference',
      case when count(m.reference) = count(*) and min(m.reference) = max(m.reference) then min(m.reference) end)::text
    from unnest(counts) with ordinality as c(id, place)
    left join stock_movement m on m.merchant_id = merchant and m.change_set_id = any(set_ids)
      and m.product_stock_location_id = c.id and m.change_transaction_id = transaction_key
    group by c.place order by c.place);
end $$;
