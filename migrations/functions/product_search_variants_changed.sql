-- Queues the products whose variants were inserted or deleted. A new product is queued twice: a second row costs less
-- than checking for the first.
create or replace function product_search_variants_changed() returns trigger
  language plpgsql
  as $$
    begin
      insert into product_search_pending (merchant_id, product_id)
        select distinct merchant_id, product_id from changed_rows 
        where not deleted and (sku is not null or barcode_list <> '{}' or variant_values is not null or attributes is not null);
      return null;
    end
  $$;--> statement-breakpoint

create or replace trigger product_search_inserted after insert on variant
  referencing new table as changed_rows for each statement execute function product_search_variants_changed();--> statement-breakpoint
create or replace trigger product_search_deleted after delete on variant
  referencing old table as changed_rows for each statement execute function product_search_variants_changed();
