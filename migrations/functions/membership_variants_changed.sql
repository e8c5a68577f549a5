-- Queues the products whose variants were added, removed or moved to another product, or have other prices, options or
-- attributes. It is a statement trigger, so that 1,000 new prices of a merchant without automated categories cost one
-- look-up. The ids are read from the transition table into an array first, because Citus refuses a statement that names
-- both a transition table and a distributed table.
create or replace function membership_variants_changed() returns trigger
  language plpgsql
  as $$
    declare
      merchant uuid;
      merchants uuid[];
      products uuid[];
    begin
      if tg_op = 'DELETE' then
        merchants := array(select distinct o.merchant_id from old_rows o);
      else
        merchants := array(select distinct n.merchant_id from new_rows n);
      end if;
      foreach merchant in array merchants loop
        continue when not exists (select from category c where c.merchant_id = merchant and c.by_conditions);
        if tg_op = 'INSERT' then
          products := array(select distinct n.product_id from new_rows n where n.merchant_id = merchant);
        elsif tg_op = 'DELETE' then
          products := array(select distinct o.product_id from old_rows o where o.merchant_id = merchant);
        else
          products := array(
            select distinct changed.id from old_rows o join new_rows n on n.merchant_id = o.merchant_id and n.id = o.id,
              unnest(array[o.product_id, n.product_id]) as changed(id)
            where o.merchant_id = merchant
              and (o.prices::text, o.variant_values::text, o.attributes::text, o.deleted, o.product_id)
                is distinct from (n.prices::text, n.variant_values::text, n.attributes::text, n.deleted, n.product_id));
        end if;
        insert into membership_pending_product (merchant_id, product_id) select merchant, product_id from unnest(products) as product_id;
      end loop;
      return null;
    end
  $$;--> statement-breakpoint

create or replace trigger membership_inserted after insert on variant
  referencing new table as new_rows for each statement execute function membership_variants_changed();--> statement-breakpoint
create or replace trigger membership_updated after update on variant
  referencing old table as old_rows new table as new_rows for each statement execute function membership_variants_changed();--> statement-breakpoint
create or replace trigger membership_deleted after delete on variant
  referencing old table as old_rows for each statement execute function membership_variants_changed();
