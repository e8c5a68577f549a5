-- Queues the products of changed variants, so that the worker compares them with the conditions of automated
-- categories. A variant counts as changed if its prices, options or attributes differ, or if it was deleted, restored
-- or moved to another product. It is a statement trigger, so that 1,000 new prices of a merchant without automated
-- categories cost one look-up. The ids are read from the transition tables into an array first, because Citus refuses a
-- statement that names both a transition table and a distributed table.
create or replace function membership_variants_updated() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off
  as $$
    declare
      merchant uuid;
      products uuid[];
    begin
      foreach merchant in array array(select distinct n.merchant_id from new_rows n) loop
        continue when not exists (select from category c where c.merchant_id = merchant and c.by_conditions);
        -- The plan may be from a statement of few rows. A nested loop would compare 20,000 rows in 400 million pairs.
        perform set_config('enable_nestloop', 'off', true);
        products := array(
          select distinct changed.id from old_rows o join new_rows n on n.merchant_id = o.merchant_id and n.id = o.id,
            unnest(array[o.product_id, n.product_id]) as changed(id)
          where o.merchant_id = merchant
            and (o.prices::text, o.variant_value_ids::text, o.attributes::text, o.deleted, o.product_id)
              is distinct from
                (n.prices::text, n.variant_value_ids::text, n.attributes::text, n.deleted, n.product_id));
        perform set_config('enable_nestloop', 'on', true);
        insert into membership_pending_product (merchant_id, product_id)
          select merchant, product_id from unnest(products) as product_id;
      end loop;
      return null;
    end
  $$;--> statement-breakpoint

create or replace trigger membership_updated after update on variant
  referencing old table as old_rows new table as new_rows
  for each statement execute function membership_variants_updated();
