-- The triggers of the search read transition tables themselves, with EXCEPT instead of a join: its cost does not depend
-- on how many rows the session's first call had, for which its plan was made.
create or replace function product_search_product_changed() returns trigger
  language plpgsql
  as $$
    declare
      changed record;
    begin
      if tg_op = 'INSERT' then
        for changed in select merchant_id, array_agg(id order by id) as ids from new_rows group by merchant_id loop
          perform product_search_changed(changed.merchant_id, changed.ids);
        end loop;
      else
        for changed in
          select merchant_id, array_agg(id order by id) as ids from (
            select merchant_id, id, name, description, brand_id, tag_ids, deleted from new_rows
            except select merchant_id, id, name, description, brand_id, tag_ids, deleted from old_rows
          ) as differing group by merchant_id
        loop
          perform product_search_changed(changed.merchant_id, changed.ids);
        end loop;
      end if;
      return null;
    end
  $$;--> statement-breakpoint
create or replace trigger product_search_inserted after insert on product
  referencing new table as new_rows for each statement execute function product_search_product_changed();--> statement-breakpoint
create or replace trigger product_search_updated after update on product
  referencing old table as old_rows new table as new_rows for each statement execute function product_search_product_changed();
