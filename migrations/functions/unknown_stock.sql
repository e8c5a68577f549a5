-- The entries without a stock count whose product, variant or stock location is unknown or deleted.
create or replace function unknown_stock(
  merchant uuid, numbers integer[], counts uuid[], products uuid[], variants uuid[], locations uuid[])
returns table (entry integer, problem text)
language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select e.n, e.problem
  from (
    select e.n,
      case
        when not exists (
          select from product p where p.merchant_id = merchant and p.id = e.product_id and not p.deleted) then 'Product'
        when not exists (
          select from variant v
          where v.merchant_id = merchant and v.product_id = e.product_id and v.id = e.variant_id and not v.deleted)
          then 'Variant'
        when not exists (
          select from stock_location l where l.merchant_id = merchant and l.id = e.location_id and not l.deleted)
          then 'StockLocation'
      end as problem
    from unnest(numbers, counts, products, variants, locations) as e(n, id, product_id, variant_id, location_id)
    where e.id is null
  ) e
  where e.problem is not null;
end $$;
