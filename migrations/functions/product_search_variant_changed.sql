-- See product_search_product_changed.
create or replace function product_search_variant_changed() returns trigger
  language plpgsql
  as $$
    declare
      changed record;
    begin
      if tg_op = 'UPDATE' then
        for changed in
          select merchant_id, array_agg(distinct product_id) as ids from (
            (select merchant_id, product_id, id, sku, barcode_list, deleted from new_rows
              except select merchant_id, product_id, id, sku, barcode_list, deleted from old_rows)
            union all
            (select merchant_id, product_id, id, sku, barcode_list, deleted from old_rows
              except select merchant_id, product_id, id, sku, barcode_list, deleted from new_rows)
          ) as differing group by merchant_id
        loop
          perform product_search_changed(changed.merchant_id, changed.ids);
        end loop;
      else
        -- Named alike for both, as only one of the two is there.
        for changed in
          select merchant_id, array_agg(distinct product_id) as ids from changed_rows
          where not deleted and (sku is not null or barcode_list <> '{}') group by merchant_id
        loop
          perform product_search_changed(changed.merchant_id, changed.ids);
        end loop;
      end if;
      return null;
    end
  $$;--> statement-breakpoint
create or replace trigger product_search_inserted after insert on variant
  referencing new table as changed_rows for each statement execute function product_search_variant_changed();--> statement-breakpoint
create or replace trigger product_search_updated after update on variant
  referencing old table as old_rows new table as new_rows for each statement execute function product_search_variant_changed();--> statement-breakpoint
create or replace trigger product_search_deleted after delete on variant
  referencing old table as changed_rows for each statement execute function product_search_variant_changed();
