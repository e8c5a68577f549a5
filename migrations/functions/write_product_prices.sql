-- Writes the rows of product_price of these products that differ from the prices of their variants, and deletes those
-- of price lists in which a product has no price. The lock makes concurrent changes of a product's variants by plain
-- SQL wait for each other; the service holds it already. The differences are collected first, because ON CONFLICT would
-- lock unchanged rows too, and because Citus sends an INSERT of constants directly to the shard.
create or replace function write_product_prices(merchant uuid, products uuid[]) returns void
  language plpgsql
  as $$
    declare
      changed_products uuid[];
      changed_lists uuid[];
      -- As texts, because the arrays inside an array must have the same length.
      changed_prices text[];
      former_products uuid[];
      former_lists uuid[];
      former record;
    begin
      perform from product p where p.merchant_id = merchant and p.id = any(products) order by p.id for no key update;
      select
        array_agg(product_id) filter (where listed.prices is not null),
        array_agg(price_list_id) filter (where listed.prices is not null),
        array_agg(listed.prices::text) filter (where listed.prices is not null),
        array_agg(product_id) filter (where listed.prices is null),
        array_agg(price_list_id) filter (where listed.prices is null)
      into changed_products, changed_lists, changed_prices, former_products, former_lists
      from (
        select v.product_id, applied.price_list_id, array_agg(distinct applied.price order by applied.price) as prices
        from variant v, applied_prices(v.prices) as applied
        where v.merchant_id = merchant and v.product_id = any(products) and not v.deleted
        group by v.product_id, applied.price_list_id
      ) as listed
      full join (
        select p.product_id, p.price_list_id, p.prices from product_price p
        where p.merchant_id = merchant and p.product_id = any(products)
      ) as known using (product_id, price_list_id)
      where listed.prices is distinct from known.prices;
      if changed_products is not null then
        insert into product_price (merchant_id, product_id, price_list_id, lowest, highest, prices)
          select merchant, changed.product_id, changed.price_list_id, changed.prices[1],
            changed.prices[cardinality(changed.prices)], changed.prices
          from (
            select product_id, price_list_id, prices::numeric[] as prices
            from unnest(changed_products, changed_lists, changed_prices) as listed(product_id, price_list_id, prices)
          ) as changed
        on conflict (merchant_id, product_id, price_list_id) do update
        set lowest = excluded.lowest, highest = excluded.highest, prices = excluded.prices;
      end if;
      if former_products is not null then
        for former in
          select price_list_id, array_agg(product_id) as products
          from unnest(former_products, former_lists) as listed(product_id, price_list_id) group by 1
        loop
          delete from product_price p
          where p.merchant_id = merchant and p.price_list_id = former.price_list_id
            and p.product_id = any(former.products);
        end loop;
      end if;
    end
  $$;
