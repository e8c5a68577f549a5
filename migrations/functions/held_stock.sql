-- The sum of a stock count's holds that are active now.
create or replace function held_stock(merchant uuid, count_id uuid) returns numeric
language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
begin
  return (
    select coalesce(sum(h.quantity), 0) from stock_hold h
    where h.merchant_id = merchant and h.product_stock_location_id = count_id and h.status = 'ACTIVE'
      and h.expires_at > clock_timestamp());
end $$;
