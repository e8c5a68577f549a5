-- Documents contain brands and tags by id, so a new name changes only its own words.
create or replace function product_search_name_changed() returns trigger
  language plpgsql
  as $$
    declare
      changed record;
    begin
      for changed in
        select merchant_id, array_agg(id) as ids, array_agg(case when deleted then '' else name end) as names
        from changed_rows group by merchant_id
      loop
        perform product_search_name(changed.merchant_id, changed.ids, case when tg_op = 'DELETE' then '{}' else changed.names end);
      end loop;
      return null;
    end
  $$;--> statement-breakpoint
create or replace trigger product_search_inserted after insert on product_brand
  referencing new table as changed_rows for each statement execute function product_search_name_changed();--> statement-breakpoint
create or replace trigger product_search_updated after update on product_brand
  referencing new table as changed_rows for each statement execute function product_search_name_changed();--> statement-breakpoint
create or replace trigger product_search_deleted after delete on product_brand
  referencing old table as changed_rows for each statement execute function product_search_name_changed();--> statement-breakpoint
create or replace trigger product_search_inserted after insert on product_tag
  referencing new table as changed_rows for each statement execute function product_search_name_changed();--> statement-breakpoint
create or replace trigger product_search_updated after update on product_tag
  referencing new table as changed_rows for each statement execute function product_search_name_changed();--> statement-breakpoint
create or replace trigger product_search_deleted after delete on product_tag
  referencing old table as changed_rows for each statement execute function product_search_name_changed();
