-- Updates product_price when variants change. The prices of new variants are added to the stored ones, which takes half
-- the time of reading all variants of the product. Both ways lock the product, so that neither misses prices of a
-- concurrent transaction. A product that this transaction wrote is locked already: another lock would take half of the
-- time of the trigger. The loops read the transition tables into variables first: Citus refuses a statement that names
-- both a transition table and a distributed table.
create or replace function product_price_variants_changed() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off
  as $$
    declare
      changed record;
    begin
      if tg_op = 'INSERT' then
        for changed in
          select listed.merchant_id, array_agg(listed.product_id) as products, array_agg(listed.price_list_id) as lists,
            array_agg(listed.prices::text) as prices
          from (
            select n.merchant_id, n.product_id, applied.price_list_id,
              array_agg(distinct applied.price order by applied.price) as prices
            from new_rows n, applied_prices(n.prices) as applied where not n.deleted group by 1, 2, 3
          ) as listed
          group by listed.merchant_id
        loop
          perform from product p
          where p.merchant_id = changed.merchant_id and p.id = any(changed.products)
            and p.xmin <> pg_current_xact_id()::xid
          order by p.id for no key update;
          insert into product_price as known (merchant_id, product_id, price_list_id, lowest, highest, prices)
            select changed.merchant_id, added.product_id, added.price_list_id, added.prices[1],
              added.prices[cardinality(added.prices)], added.prices
            from (
              select product_id, price_list_id, prices::numeric[] as prices
              from unnest(changed.products, changed.lists, changed.prices) as listed(product_id, price_list_id, prices)
            ) as added
          on conflict (merchant_id, product_id, price_list_id) do update
          set lowest = least(known.lowest, excluded.lowest), highest = greatest(known.highest, excluded.highest),
            prices = merged_prices(known.prices, excluded.prices);
        end loop;
      elsif tg_op = 'DELETE' then
        for changed in
          select o.merchant_id, array_agg(distinct o.product_id) as products from old_rows o
          where not o.deleted and o.prices is not null group by 1
        loop
          perform write_product_prices(changed.merchant_id, changed.products);
        end loop;
      else
        -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
        perform set_config('enable_nestloop', 'off', true);
        for changed in
          select o.merchant_id, array_agg(distinct moved.id) as products
          from old_rows o join new_rows n on n.merchant_id = o.merchant_id and n.id = o.id,
            unnest(array[o.product_id, n.product_id]) as moved(id)
          where (o.deleted, o.product_id, o.prices::text) is distinct from (n.deleted, n.product_id, n.prices::text)
          group by 1
        loop
          perform set_config('enable_nestloop', 'on', true);
          perform write_product_prices(changed.merchant_id, changed.products);
        end loop;
        perform set_config('enable_nestloop', 'on', true);
      end if;
      return null;
    end
  $$;--> statement-breakpoint

create or replace trigger product_price_inserted after insert on variant
  referencing new table as new_rows
  for each statement execute function product_price_variants_changed();--> statement-breakpoint
create or replace trigger product_price_updated after update on variant
  referencing old table as old_rows new table as new_rows
  for each statement execute function product_price_variants_changed();--> statement-breakpoint
create or replace trigger product_price_deleted after delete on variant
  referencing old table as old_rows
  for each statement execute function product_price_variants_changed();
