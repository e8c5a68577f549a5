-- Queues new products for indexing.
create or replace function product_search_products_inserted() returns trigger
  language plpgsql
  as $$
    begin
      insert into product_search_pending (merchant_id, product_id) select merchant_id, id from new_rows;
      return null;
    end
  $$;--> statement-breakpoint

create or replace trigger product_search_inserted after insert on product
  referencing new table as new_rows for each statement execute function product_search_products_inserted();
