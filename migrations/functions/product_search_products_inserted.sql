-- Queues new products, so that their search documents are written. The loop reads the ids from the transition table
-- first, because Citus refuses a statement that names both a transition table and a distributed table.
create or replace function product_search_products_inserted() returns trigger
  language plpgsql
  as $$
    declare
      inserted record;
    begin
      for inserted in select merchant_id, array_agg(id) as ids from new_rows group by merchant_id loop
        insert into product_search_pending (merchant_id, product_id)
          select inserted.merchant_id, product_id from unnest(inserted.ids) as product_id;
      end loop;
      return null;
    end
  $$;--> statement-breakpoint

create or replace trigger product_search_inserted after insert on product
  referencing new table as new_rows for each statement execute function product_search_products_inserted();
