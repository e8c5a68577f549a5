-- Writes the rows of product_price of these products from their variants, and deletes those of price lists in which they have
-- no price. The lock lets changes of other variants of a product by plain SQL wait for each other; the service holds it
-- already. One INSERT ... VALUES for each row: Citus sends it straight to the shard. NOT EXISTS, because NOT IN compares
-- each row with each entry of long arrays.
create or replace function write_product_prices(merchant uuid, products uuid[]) returns void
  language plpgsql
  as $$
    declare
      listed record;
      listed_products uuid[] := '{}';
      listed_lists uuid[] := '{}';
    begin
      perform from product p where p.merchant_id = merchant and p.id = any(products) order by p.id for no key update;
      for listed in
        select v.product_id, applied.price_list_id, array_agg(distinct applied.price order by applied.price) as prices
        from variant v, applied_prices(v.prices) as applied
        where v.merchant_id = merchant and v.product_id = any(products) and not v.deleted
        group by v.product_id, applied.price_list_id
      loop
        insert into product_price as known (merchant_id, product_id, price_list_id, lowest, highest, prices)
        values (merchant, listed.product_id, listed.price_list_id, listed.prices[1], listed.prices[cardinality(listed.prices)], listed.prices)
        on conflict (merchant_id, product_id, price_list_id) do update
        set lowest = excluded.lowest, highest = excluded.highest, prices = excluded.prices where known.prices <> excluded.prices;
        listed_products := listed_products || listed.product_id;
        listed_lists := listed_lists || listed.price_list_id;
      end loop;
      delete from product_price p
      where p.merchant_id = merchant and p.product_id = any(products) and not exists (
        select from unnest(listed_products, listed_lists) as l(product_id, price_list_id)
        where l.product_id = p.product_id and l.price_list_id = p.price_list_id);
    end
  $$;
