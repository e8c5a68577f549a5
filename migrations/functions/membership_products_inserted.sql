-- Queues new products, so that the worker compares them with the conditions of automated categories. The loop reads the
-- ids from the transition table first, because Citus refuses a statement that names both a transition table and a
-- distributed table.
create or replace function membership_products_inserted() returns trigger
  language plpgsql
  as $$
    declare
      inserted record;
    begin
      for inserted in select n.merchant_id, array_agg(n.id) as ids from new_rows n group by n.merchant_id loop
        perform membership_mark(inserted.merchant_id, inserted.ids);
      end loop;
      return null;
    end
  $$;--> statement-breakpoint

create or replace trigger membership_inserted after insert on product
  referencing new table as new_rows for each statement execute function membership_products_inserted();
