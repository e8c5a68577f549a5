-- Adds rows with the count 0 for the entries without a row, as others may do at the same time. If products, variants or
-- locations are unknown or deleted, returns these entries instead.
create or replace function open_stock_counts(
  merchant uuid, numbers integer[], counts uuid[], products uuid[], variants uuid[], locations uuid[])
returns table (entry integer, problem text)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select u.entry, u.problem from unknown_stock(merchant, numbers, counts, products, variants, locations) u;
  if found then
    return;
  end if;
  -- The number 0 tells the trigger that the movements follow.
  insert into product_stock_location
    (merchant_id, id, product_id, variant_id, stock_location_id, stock_count, last_movement_number)
  select merchant, uuid_v7(), e.product_id, e.variant_id, e.location_id, 0, 0
  from (
    select distinct e.product_id, e.variant_id, e.location_id
    from unnest(counts, products, variants, locations) as e(id, product_id, variant_id, location_id)
    where e.id is null
    order by e.product_id, e.variant_id, e.location_id
  ) e
  on conflict (merchant_id, product_id, variant_id, stock_location_id) do nothing;
end $$;
