-- The sales channels of each of the products as the text of an array, in the order of the ids: none if the product does
-- not exist. Stock counts and holds are in the sales channels of their product.
create or replace function product_channels(merchant uuid, product_ids uuid[]) returns text[]
language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
begin
  return array(
    select coalesce(product.sales_channel_ids, '{}')::text
    from unnest(product_ids) with ordinality as p(id, place)
    left join product on product.merchant_id = merchant and product.id = p.id
    order by p.place);
end $$;
