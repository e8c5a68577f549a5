-- Queues the products whose variants were inserted or deleted. A new product is queued twice: a second row costs less
-- than checking for the first. The ids are read from the transition table first, because Citus refuses a statement that
-- names both a transition table and a distributed table.
create or replace function product_search_variants_changed() returns trigger
  language plpgsql
  as $$
    declare
      changed record;
    begin
      for changed in
        select merchant_id, array_agg(distinct product_id) as ids from changed_rows
        where not deleted and (sku is not null or barcode_list <> '{}' or variant_values is not null or attributes is not null)
        group by merchant_id
      loop
        insert into product_search_pending (merchant_id, product_id)
          select changed.merchant_id, product_id from unnest(changed.ids) as product_id;
      end loop;
      return null;
    end
  $$;--> statement-breakpoint

create or replace trigger product_search_inserted after insert on variant
  referencing new table as changed_rows for each statement execute function product_search_variants_changed();--> statement-breakpoint
create or replace trigger product_search_deleted after delete on variant
  referencing old table as changed_rows for each statement execute function product_search_variants_changed();
