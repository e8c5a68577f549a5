-- Whether a delta may take what is available of a stock count below 0, because of its location or variant.
create or replace function may_be_negative(merchant uuid, count_id uuid) returns boolean
language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
begin
  return exists (
    select from product_stock_location c
    join stock_location l on l.merchant_id = merchant and l.id = c.stock_location_id
    join variant v on v.merchant_id = merchant and v.product_id = c.product_id and v.id = c.variant_id
    where c.merchant_id = merchant and c.id = count_id and (l.allows_negative_stock or v.sell_if_out_of_stock));
end $$;
