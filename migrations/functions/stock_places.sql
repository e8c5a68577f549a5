-- The ids of the stock counts of variants at locations, in the order of the arrays. Null where there is none.
create or replace function stock_places(merchant uuid, products uuid[], variants uuid[], locations uuid[])
returns uuid[] language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
begin
  return array(
    select c.id
    from unnest(products, variants, locations) with ordinality as p(product_id, variant_id, location_id, place)
    left join lateral (
      select c.id from product_stock_location c
      where c.merchant_id = merchant and c.product_id = p.product_id and c.variant_id = p.variant_id
        and c.stock_location_id = p.location_id
      limit 1) c on true
    order by p.place);
end $$;
