-- Queues the product of a variant whose codes, options or attributes have changed; if the variant moved to another
-- product, both.
create or replace function product_search_variant_updated() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set jit = off
  as $$
    begin
      insert into product_search_pending (merchant_id, product_id)
        select distinct marked.merchant_id, marked.product_id
        from (values (old.merchant_id, old.product_id), (new.merchant_id, new.product_id))
          as marked(merchant_id, product_id);
      return null;
    end
  $$;--> statement-breakpoint

create or replace trigger product_search_updated after update on variant for each row
  when (old.sku is distinct from new.sku or old.barcode_list is distinct from new.barcode_list
    or old.deleted is distinct from new.deleted or old.product_id is distinct from new.product_id
    or old.variant_value_ids::text is distinct from new.variant_value_ids::text
    or old.attributes::text is distinct from new.attributes::text)
  execute function product_search_variant_updated();
